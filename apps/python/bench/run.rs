//! What `run.py` is measured against: `Kernel::run` over a million vertices. For each line that comes in it runs once, and
//! prints the seconds of processor time, of all threads: other processes do not count.

use gpuzoo::{Diagnostics, Inputs, Registry};
use rustix::time::{ClockId, clock_gettime};
use std::io::{BufRead, Write};

const VERTICES: usize = 1_000_000;

/// In seconds.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(id), Some(path), Some(input)) = (arguments.next(), arguments.next(), arguments.next()) else {
        return Err("usage: run MACHINE PROGRAM INPUT".into());
    };
    let machine =
        gpuzoo::Machine::new(Registry::default().shader_unit(Some(&id), "").map_err(Diagnostics::from)?);
    let kernel = machine.assemble(&path, &std::fs::read_to_string(&path)?)?.kernel(gpuzoo::State::new())?;
    let values: Vec<u32> = (0..4 * VERTICES).map(|at| (at as f32 / VERTICES as f32).to_bits()).collect();
    let inputs = Inputs::new().borrow(&input, &values, 4, 4, VERTICES)?.zeros();
    for line in std::io::stdin().lock().lines() {
        line?;
        let start = processor_time();
        let outputs = kernel.run(&inputs)?;
        let seconds = processor_time() - start;
        println!("{seconds} {}", outputs.names().count());
        std::io::stdout().flush()?;
    }
    Ok(())
}
