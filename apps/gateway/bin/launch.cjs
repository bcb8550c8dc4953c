"use strict";
require("node:module").enableCompileCache?.();
import("../dist/main.js");
