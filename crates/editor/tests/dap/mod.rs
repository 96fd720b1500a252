mod any;
mod launch;
