mod any;
