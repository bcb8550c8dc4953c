import { readEnvironmentFile } from "../host/environment-file.js";

/** Variables that the gateway or its bundled providers read, and that a service does not get. */
const READ_BY_A_GATEWAY =
  /^(?:(?:OPENAI|ANTHROPIC|OLLAMA|LLM|SAFETY|AGENT)_[A-Z_]+|OPENCLAW_(?!STATE_DIR$|CONFIG_PATH$|KEYCHAIN$|TEST_)[A-Z_]+|(?:GATEWAY_(?:ENABLED|HOST|PORT|AUTH_TOKEN)|SECRETS_MASTER_KEY|PGPASSWORD))$/;

/**
 * Returns the names of variables that work in this shell and would be missing in a service, which reads `.env` too.
 * @param environment - environment variables of the command
 */
export function unseenVariables(environment: NodeJS.ProcessEnv): readonly string[] {
  const inFile = readEnvironmentFile(environment);
  return Object.entries(environment)
    .filter(([name, value]) => value && READ_BY_A_GATEWAY.test(name) && inFile[name] !== value)
    .map(([name]) => name)
    .toSorted();
}
