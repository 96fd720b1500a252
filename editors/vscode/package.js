// The licences are in the package, too.
const fs = require("node:fs");
for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) {
  fs.copyFileSync(`../../${name}`, name);
}
