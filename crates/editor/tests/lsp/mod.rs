mod any;
mod kept;
mod sources;
