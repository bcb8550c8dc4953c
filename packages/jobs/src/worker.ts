export { readWorkerArguments } from "./worker/arguments.js";
export { runWorker } from "./worker/run.js";
