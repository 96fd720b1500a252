mod any;
mod kept;
mod settings;
mod sources;
