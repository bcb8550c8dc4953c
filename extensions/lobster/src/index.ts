import { createLobsterPlugin } from "./plugin.js";
import { EngineRunner } from "./run/runner.js";

export default createLobsterPlugin((dependencies) => new EngineRunner(dependencies));
