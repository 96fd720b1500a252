//! VERA and the Commander X16 themselves: their buses, their memory, their pictures.

use crate::arrays::picture;
use crate::errors::{poisoned, refused};
use gpuzoo::codes::NO_SUCH_PROFILE;
use gpuzoo::diag::Diagnostic;
use gpuzoo::machines::vera::{self as device, HEIGHT, Profile, STATE, VRAM_BYTES, WIDTH};
use gpuzoo::machines::x16::{self, Config, Limits};
use gpuzoo::raster::Image;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde_json::json;
use std::sync::{Mutex, MutexGuard};

fn profile(name: &str) -> PyResult<Profile> {
    Profile::find(name).ok_or_else(|| {
        let names = Profile::ALL.map(Profile::name).join(", ");
        let problem = Diagnostic::error(&NO_SUCH_PROFILE, format!("there is no profile `{name}`"));
        refused(problem.help(format!("profiles are {names}")))
    })
}

fn set_vram(vera: &mut device::Vera, start: usize, bytes: &[u8]) -> PyResult<()> {
    let to = vera.vram_mut().get_mut(start..start.saturating_add(bytes.len()));
    to.ok_or_else(|| PyIndexError::new_err(format!("the memory has {VRAM_BYTES} bytes")))?
        .copy_from_slice(bytes);
    Ok(())
}

fn shown<'py>(py: Python<'py>, vera: &device::Vera) -> PyResult<Bound<'py, PyArray3<u8>>> {
    let image = Image::from_pixels(WIDTH as u32, HEIGHT as u32, vera.picture().to_vec());
    picture(py, image.map_err(|error| PyValueError::new_err(error.to_string()))?)
}

fn state(vera: &device::Vera) -> String {
    let state: serde_json::Map<_, _> =
        STATE.iter().map(|item| (item.name.to_owned(), json!((item.get)(vera)))).collect();
    serde_json::Value::Object(state).to_string()
}

/// A part of a memory, with its ends checked.
fn part(memory: &[u8], start: usize, end: usize) -> PyResult<&[u8]> {
    memory
        .get(start..end)
        .ok_or_else(|| PyIndexError::new_err(format!("the memory has {} bytes", memory.len())))
}

/// VERA without a machine around it.
#[pyclass(frozen, module = "gpuzoo._native")]
pub struct Vera {
    vera: Mutex<device::Vera>,
}

impl Vera {
    fn lock(&self) -> PyResult<MutexGuard<'_, device::Vera>> {
        self.vera.lock().map_err(poisoned)
    }
}

#[pymethods]
impl Vera {
    #[new]
    fn new(profile_name: &str) -> PyResult<Vera> {
        Ok(Vera { vera: Mutex::new(device::Vera::new(profile(profile_name)?)) })
    }

    /// Reads a register, side effects included.
    fn read(&self, register: u8) -> PyResult<u8> {
        Ok(self.lock()?.read(register))
    }

    /// Reads a register without side effects.
    fn peek(&self, register: u8) -> PyResult<u8> {
        Ok(self.lock()?.peek(register))
    }

    /// Writes a register.
    fn write(&self, register: u8, value: u8) -> PyResult<()> {
        self.lock()?.write(register, value);
        Ok(())
    }

    /// Writes many: rows of a register and a value, with so many cycles of the CPU behind each.
    fn write_all(&self, py: Python<'_>, rows: PyReadonlyArray2<'_, u8>, cycles: u32) -> PyResult<()> {
        let wrong = || PyValueError::new_err("rows of a register and a value are expected");
        let &[_, 2] = rows.shape() else { return Err(wrong()) };
        let rows = rows.to_vec().map_err(|_| wrong())?;
        py.detach(|| {
            let mut vera = self.lock()?;
            for [register, value] in rows.as_chunks().0 {
                vera.write(*register, *value);
                vera.advance_cycles(cycles);
            }
            Ok(())
        })
    }

    /// Lets cycles of the 8 MHz CPU pass.
    fn advance(&self, py: Python<'_>, cycles: u32) -> PyResult<()> {
        py.detach(|| {
            self.lock()?.advance_cycles(cycles);
            Ok(())
        })
    }

    /// Lets time pass until the next picture is complete.
    fn advance_frame(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| {
            self.lock()?.advance_frame();
            Ok(())
        })
    }

    /// The picture as the beam has drawn it.
    fn picture<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        shown(py, &*self.lock()?)
    }

    /// Bytes of video memory.
    fn vram<'py>(&self, py: Python<'py>, start: usize, end: usize) -> PyResult<Bound<'py, PyArray1<u8>>> {
        Ok(PyArray1::from_slice(py, part(&self.lock()?.vram()[..], start, end)?))
    }

    /// Puts bytes into video memory, as a load at power-on would; the shadows of its last bytes stay.
    fn set_vram(&self, start: usize, bytes: &[u8]) -> PyResult<()> {
        set_vram(&mut *self.lock()?, start, bytes)
    }

    /// Hidden and visible state by name, as JSON.
    fn state(&self) -> PyResult<String> {
        Ok(state(&*self.lock()?))
    }

    /// From now on the sound is kept.
    fn listen(&self) -> PyResult<()> {
        self.lock()?.listen();
        Ok(())
    }

    /// What was heard since the last call: rows of left and right, 48,828.125 of them a second.
    fn samples<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let samples = self.lock()?.take_samples();
        let count = samples.len();
        PyArray1::from_vec(py, samples.into_flattened()).reshape([count, 2])
    }

    /// True while an interrupt is asked for.
    #[getter]
    fn irq(&self) -> PyResult<bool> {
        Ok(self.lock()?.irq())
    }

    /// How many pictures are complete.
    #[getter]
    fn frames(&self) -> PyResult<u64> {
        Ok(self.lock()?.frames())
    }

    /// Another one in the same state.
    fn copy(&self) -> PyResult<Vera> {
        Ok(Vera { vera: Mutex::new(self.lock()?.clone()) })
    }
}

/// A Commander X16.
#[pyclass(frozen, module = "gpuzoo._native")]
pub struct X16 {
    machine: Mutex<x16::X16>,
}

impl X16 {
    fn lock(&self) -> PyResult<MutexGuard<'_, x16::X16>> {
        self.machine.lock().map_err(poisoned)
    }
}

#[pymethods]
impl X16 {
    #[new]
    fn new(profile_name: &str, ram_banks: usize, rom: Option<Vec<u8>>) -> PyResult<X16> {
        let deviations = profile(profile_name)?.deviations();
        let config = Config { deviations, ram_banks, rom, ..Config::default() };
        let mut machine = x16::X16::new(config).map_err(refused)?;
        machine.expect_state();
        Ok(X16 { machine: Mutex::new(machine) })
    }

    /// Loads a PRG file, and makes it the program that runs next.
    fn load(&self, prg: &[u8]) -> PyResult<()> {
        self.lock()?.load_prg(prg).map_err(refused)?;
        Ok(())
    }

    /// Runs so many frames or cycles, or to the program's end; returns why it stopped, and whether the program is over.
    fn run(&self, py: Python<'_>, frames: Option<u64>, cycles: Option<u64>) -> PyResult<(String, bool)> {
        py.detach(|| {
            let ending = self.lock()?.run(&Limits { frames, cycles });
            Ok((ending.text(), ending.is_final()))
        })
    }

    /// Runs one instruction; returns its text.
    fn step(&self) -> PyResult<String> {
        Ok(self.lock()?.step().text(None, &Default::default()))
    }

    /// Bytes as the CPU sees them, without side effects.
    fn peek<'py>(&self, py: Python<'py>, start: u32, end: u32) -> PyResult<Bound<'py, PyArray1<u8>>> {
        if start > end || end > 0x1_0000 {
            return Err(PyIndexError::new_err("the CPU sees 65536 bytes"));
        }
        let machine = self.lock()?;
        Ok(PyArray1::from_vec(py, (start..end).map(|at| machine.peek(at as u16)).collect()))
    }

    /// Puts bytes into RAM; other places stay as they are.
    fn poke(&self, start: u32, bytes: &[u8]) -> PyResult<()> {
        let end = u64::from(start) + bytes.len() as u64;
        if end > 0x1_0000 {
            return Err(PyIndexError::new_err("the CPU sees 65536 bytes"));
        }
        let mut machine = self.lock()?;
        (start..).zip(bytes).for_each(|(at, byte)| machine.poke(at as u16, *byte));
        Ok(())
    }

    /// The CPU's registers: program counter, A, X, Y, stack pointer, status.
    #[getter]
    fn cpu(&self) -> PyResult<(u16, u8, u8, u8, u8, u8)> {
        let machine = self.lock()?;
        let cpu = machine.cpu();
        Ok((cpu.pc, cpu.a, cpu.x, cpu.y, cpu.s, cpu.p))
    }

    /// CPU cycles since power-on.
    #[getter]
    fn cycles(&self) -> PyResult<u64> {
        Ok(self.lock()?.cycles())
    }

    /// What the program has printed.
    #[getter]
    fn output(&self) -> PyResult<String> {
        Ok(self.lock()?.output().to_owned())
    }

    /// The picture as the beam has drawn it.
    fn picture<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        shown(py, self.lock()?.vera())
    }

    /// Bytes of video memory.
    fn vram<'py>(&self, py: Python<'py>, start: usize, end: usize) -> PyResult<Bound<'py, PyArray1<u8>>> {
        Ok(PyArray1::from_slice(py, part(&self.lock()?.vera().vram()[..], start, end)?))
    }

    /// Puts bytes into video memory, without the bus.
    fn set_vram(&self, start: usize, bytes: &[u8]) -> PyResult<()> {
        set_vram(self.lock()?.vera_mut(), start, bytes)
    }

    /// VERA's state by name, as JSON.
    fn state(&self) -> PyResult<String> {
        Ok(state(self.lock()?.vera()))
    }

    /// All that the machine holds, as bytes.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.lock()?.save_state().map_err(refused))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Goes on from there: a machine with the same ROM and program.
    fn restore(&self, py: Python<'_>, state: &[u8]) -> PyResult<()> {
        py.detach(|| self.lock()?.load_state(state).map_err(|problem: Diagnostic| refused(problem)))
    }
}
