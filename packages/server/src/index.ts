export { PortTakenError } from "./errors.js";
export { HOST_PATHS } from "./http/reserved-paths.js";
export {
  createHttpApp,
  type HttpHost,
  type HttpServer,
  listen,
  type ReadinessCheck,
} from "./http/server.js";
