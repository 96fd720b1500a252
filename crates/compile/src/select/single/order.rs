//! The order in which instructions are written: what an output needs, then the output.

use super::cover::{Cover, Wanted};
use super::emit::Item;
use crate::options::Level;
use gpuzoo_isa::numbers;

/// Another order of things for every seed; that of 0 is the one they have.
pub fn shuffle(all: &mut [usize], seed: u64) {
    if seed == 0 {
        return;
    }
    let mut number = numbers(seed ^ 0x5eed);
    for end in (1..all.len()).rev() {
        all.swap(end, number(end as u32 + 1) as usize);
    }
}

/// All tiles and outputs of a cover.
pub fn items(cover: &Cover, outputs: &[Wanted], level: Level, seed: u64) -> Vec<Item> {
    let tiles = cover.tiles.len();
    let needs: Vec<Vec<usize>> = cover
        .tiles
        .iter()
        .map(|tile| {
            let lanes = tile.uses.iter().flat_map(|own| own.lanes).flatten();
            let mut needs: Vec<usize> = lanes.filter_map(|lane| cover.by.get(&lane).copied()).collect();
            needs.dedup();
            needs
        })
        .collect();
    // How many instructions lead to each: long ways come first, so that short ones hold nothing meanwhile.
    let mut weight: Vec<u64> = vec![0; tiles];
    for (tile, needs) in needs.iter().enumerate() {
        weight[tile] =
            needs.iter().map(|need| weight.get(*need).copied().unwrap_or(0)).fold(1, u64::saturating_add);
    }
    if level == Level::Source {
        let (mut items, mut done) = (Vec::new(), vec![false; tiles]);
        (0..tiles).for_each(|tile| visit(tile, &needs, &weight, &mut |weight| weight, &mut done, &mut items));
        items.extend((0..outputs.len()).map(Item::Output));
        return items;
    }
    let mut number = numbers(seed);
    // From small doubts about what comes first to none of it mattering.
    let doubt = 3 << (seed % 4 * 2);
    let mut noise =
        move |weight: u64| if seed < 2 { weight } else { weight.saturating_add(u64::from(number(doubt))) };
    let mut roots: Vec<usize> = (0..outputs.len()).collect();
    if seed % 2 == 1 {
        roots.reverse();
    }
    if seed > 2 {
        shuffle(&mut roots, seed);
    }
    let mut items = Vec::new();
    let mut done = vec![false; tiles];
    // What has an effect keeps its order.
    let kills = (0..tiles).filter(|tile| cover.tiles[*tile].results.iter().all(Option::is_none));
    kills.for_each(|tile| visit(tile, &needs, &weight, &mut noise, &mut done, &mut items));
    for output in roots {
        let mut before: Vec<usize> =
            outputs[output].iter().flatten().filter_map(|lane| cover.by.get(lane).copied()).collect();
        before.dedup();
        before.into_iter().for_each(|tile| visit(tile, &needs, &weight, &mut noise, &mut done, &mut items));
        items.push(Item::Output(output));
    }
    items
}

/// A tile behind all that it needs.
fn visit(
    tile: usize,
    needs: &[Vec<usize>],
    weight: &[u64],
    noise: &mut dyn FnMut(u64) -> u64,
    done: &mut [bool],
    items: &mut Vec<Item>,
) {
    // What is on the way, and what each still needs.
    let mut way: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut open = |tile: usize| {
        let mut needs = needs.get(tile).cloned().unwrap_or_default();
        needs.sort_by_cached_key(|need| noise(weight.get(*need).copied().unwrap_or(0)));
        (tile, needs)
    };
    if !std::mem::replace(&mut done[tile], true) {
        way.push(open(tile));
    }
    while let Some((tile, needs)) = way.last_mut() {
        match needs.pop() {
            Some(need) => {
                if !std::mem::replace(&mut done[need], true) {
                    way.push(open(need));
                }
            }
            None => {
                items.push(Item::Tile(*tile));
                way.pop();
            }
        }
    }
}
