//! Fragment programs of machines that say nothing of theirs.

use gpuzoo_machine::limits::budget::Refusal;
use gpuzoo_machine::session::ShaderSession;
use gpuzoo_machine::unit::draw::Draw;
use gpuzoo_machine::vectors::stimulus::Stimulus;
use gpuzoo_machine::{FragmentPrograms, TextureRead};
use gpuzoo_raster::{Target, Touch};

struct Plain;

impl FragmentPrograms for Plain {
    fn stimulus(&self, _: &Draw, _: &Touch) -> Option<Stimulus> {
        None
    }

    fn session(&self, _: &Target, _: &Draw, _: &Touch) -> Result<Option<ShaderSession>, Refusal> {
        Ok(None)
    }
}

#[test]
fn a_sample_reads_the_unit_of_its_number_filtered() {
    for sample in [0, 1, 7, 255] {
        assert_eq!(Plain.unit(sample), usize::from(sample));
        assert_eq!(Plain.read(sample), TextureRead::Filtered);
        assert_eq!(Plain.interpolated(sample.into()), None);
        assert!(!Plain.sets(sample.into()), "the machine sets no constant itself");
    }
}
