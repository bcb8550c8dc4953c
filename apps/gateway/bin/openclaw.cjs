#!/usr/bin/env node
"use strict";
// This file keeps to the syntax of the oldest Node, so that an unsupported one can say so (GW-053).
var supported = require("./supported-node.cjs");

if (supported.accepts(process.versions.node)) {
  require("./launch.cjs");
} else {
  process.stderr.write(
    "OpenClaw needs Node.js " +
      supported.range +
      ", and this is " +
      process.versions.node +
      "; install a newer one from https://nodejs.org and try again.\n"
  );
  process.exitCode = 78;
}
