//! Members that are components: `xyz`, `rgb`, `_m00`, `_11_22`.

/// Which components of a vector of `size` a word names.
pub fn components(word: &str, size: u8) -> Option<Vec<u8>> {
    let from = |letters: &str| -> Option<Vec<u8>> {
        word.chars()
            .map(|letter| u8::try_from(letters.find(letter)?).ok().filter(|component| *component < size))
            .collect()
    };
    if !(1..=4).contains(&word.len()) {
        return None;
    }
    from("xyzw").or_else(|| from("rgba"))
}

/// Which elements of a matrix a word names: rows and columns, from 0.
pub fn elements(word: &str, rows: u8, columns: u8) -> Option<Vec<(u8, u8)>> {
    let words = word.strip_prefix('_')?.split('_');
    let all: Vec<(u8, u8)> = words
        .map(|word| {
            let (row, column) = match *word.as_bytes() {
                [b'm', row, column] => (row.checked_sub(b'0')?, column.checked_sub(b'0')?),
                [row, column] => (row.checked_sub(b'1')?, column.checked_sub(b'1')?),
                _ => return None,
            };
            (row < rows && column < columns).then_some((row, column))
        })
        .collect::<Option<_>>()?;
    (all.len() <= 4).then_some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_of_vectors() {
        assert_eq!(components("wzyx", 4), Some(vec![3, 2, 1, 0]));
        assert_eq!([components("rg", 2), components("xx", 1)], [Some(vec![0, 1]), Some(vec![0, 0])]);
        for word in ["", "xyzwx", "xg", "z", "stpq", "X", "é"] {
            assert_eq!(components(word, 2), None, "{word}");
        }
    }

    #[test]
    fn elements_of_matrices() {
        assert_eq!(elements("_m00_m12", 2, 3), Some(vec![(0, 0), (1, 2)]));
        assert_eq!(elements("_11", 2, 2), Some(vec![(0, 0)]));
        for word in ["_m20", "_00", "_m0", "_", "m00", "_13", "_11_11_11_11_11"] {
            assert_eq!(elements(word, 2, 2), None, "{word}");
        }
    }
}
