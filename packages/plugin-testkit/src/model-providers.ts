export { registeredProviders } from "./registered-providers.js";
