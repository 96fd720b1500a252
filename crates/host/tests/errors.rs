//! What is wrong is an error with the reason, never a panic.

use gpuzoo_host::{Buffer, Error, Host, Shader};
use std::sync::LazyLock;

static HOST: LazyLock<Option<Host>> = LazyLock::new(|| match Host::open() {
    Ok(host) => Some(host),
    Err(none) => {
        gpuzoo_skipped::say(&format!("{none}: all of the host's GPU"));
        None
    }
});

const DOUBLE: &str = "
    @group(0) @binding(0) var<uniform> factor: vec4<u32>;
    @group(0) @binding(1) var<storage, read_write> numbers: array<u32>;
    @compute @workgroup_size(4)
    fn main(@builtin(global_invocation_id) id: vec3<u32>) {
        if id.x < arrayLength(&numbers) { numbers[id.x] *= factor.x; }
    }";

/// The message of an error that holds these words.
fn says(result: Result<Vec<Vec<u32>>, Error>, words: &str) {
    let error = result.expect_err(words).to_string();
    assert!(error.contains(words), "{error}");
}

#[test]
fn a_kernel_runs_again_over_other_buffers() -> Result<(), Error> {
    let Some(host) = HOST.as_ref() else { return Ok(()) };
    assert!(!host.name().is_empty());
    let kinds = [Buffer::Uniform(&[0; 4]), Buffer::ReadWrite(&[0])];
    let kernel = host.kernel(&Shader::Wgsl(DOUBLE), "main", &kinds)?;
    for (factor, numbers, expected) in
        [(2, &[1, 2, 3][..], &[2, 4, 6][..]), (3, &[1 << 31, 5], &[1 << 31, 15]), (7, &[6], &[42])]
    {
        let buffers = [Buffer::Uniform(&[factor, 0, 0, 0]), Buffer::ReadWrite(numbers)];
        assert_eq!(kernel.run([1, 1, 1], &buffers)?, [expected]);
    }
    Ok(())
}

#[test]
fn what_is_wrong_is_an_error() {
    let Some(host) = HOST.as_ref() else { return };
    let buffers = [Buffer::Uniform(&[2, 0, 0, 0]), Buffer::ReadWrite(&[1, 2])];
    let run =
        |shader: &Shader, entry: &str, buffers: &[Buffer]| host.compute(shader, entry, [1, 1, 1], buffers);
    says(run(&Shader::Wgsl("fn main() -> u32 { return 1.5; }"), "main", &buffers), "the shader");
    says(run(&Shader::Wgsl(DOUBLE), "other", &buffers), "the pipeline");
    says(run(&Shader::Wgsl(DOUBLE), "main", &buffers[..1]), "the pipeline");
    let short = [Buffer::Uniform(&[2]), Buffer::ReadWrite(&[1, 2])];
    says(run(&Shader::Wgsl(DOUBLE), "main", &short), "the run");
    says(host.compute(&Shader::Wgsl(DOUBLE), "main", [1 << 20, 1, 1], &buffers), "the run");
    // A kernel for other buffers.
    let other = [Buffer::ReadWrite(&[1, 2])];
    let kernel = host.kernel(&Shader::Wgsl(DOUBLE), "main", &buffers);
    says(kernel.and_then(|kernel| kernel.run([1, 1, 1], &other)), "the run");
    // The device is as good as before.
    assert_eq!(run(&Shader::Wgsl(DOUBLE), "main", &buffers), Ok(vec![vec![2, 4]]));
}

#[test]
fn words_that_are_no_spirv() {
    let Some(host) = HOST.as_ref() else { return };
    for words in [
        &[][..],
        &[1, 2, 3, 4, 5],
        &[0x0723_0203, 0x0001_0300, 0, 1, 0, 0x0004_0010, 17],
        &[0x0723_0203, 0, 0, 1, 0],
    ] {
        says(host.compute(&Shader::Spirv(words), "main", [1, 1, 1], &[]), "SPIR-V");
    }
}
