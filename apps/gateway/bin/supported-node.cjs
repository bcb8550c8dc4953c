"use strict";
// The same range as `engines.node` in package.json; a test holds the two together.
exports.range = "^22.22.2 || ^24.15.0 || >=26";

/** Whether a version such as "24.21.0" lies in the range. */
exports.accepts = function (version) {
  var parts = version.split(".");
  var major = Number(parts[0]);
  var minor = Number(parts[1]);
  var patch = Number(parts[2]);
  if (major >= 26) return true;
  if (major === 24) return minor >= 15;
  return major === 22 && (minor > 22 || (minor === 22 && patch >= 2));
};
