/** Server with the OpenAI API, which gets a name below `models.providers`. */
export interface NamedServer {
  readonly name: string;
  readonly url: string;
  /** Model of this server; that of the first server when absent. */
  readonly model?: string | undefined;
}

const SERVER = /^(?<name>[a-z][a-z0-9-]*)=(?<url>.+)$/;

/** Form of the servers, for prompts and errors. */
export const SERVER_FORM = "name=URL, for example desk=http://localhost:1234/v1";

/**
 * Reads named servers.
 * @param text - `name=URL`, several separated by spaces; the first is used first
 * @returns undefined when it is not of that form, or uses a name twice
 */
export function readServers(text: string): readonly NamedServer[] | undefined {
  const servers = text
    .split(/\s+/)
    .filter((each) => each !== "")
    .map((each) => SERVER.exec(each)?.groups)
    .map((parts) => ({ name: parts?.name ?? "", url: parts?.url ?? "" }));
  const names = new Set(servers.map(({ name }) => name));
  const isRight = servers.every(({ url }) => /^https?:/.test(url) && URL.canParse(url));
  return servers.length > 0 && isRight && names.size === servers.length ? servers : undefined;
}

/**
 * Returns the variable that gives the key of a server, for example `DESK_API_KEY`.
 * @param name - name of the server
 */
export function keyVariableOf(name: string): string {
  return `${name.replaceAll("-", "_").toUpperCase()}_API_KEY`;
}

/**
 * Returns a server with the model that it is called with: the preferred one, else the first that it lists.
 * @param preferred - model of the first server
 * @param models - models that the server lists; empty when its test failed
 */
export function withModel(
  server: NamedServer,
  preferred: string,
  models: readonly string[],
): NamedServer {
  const [first] = models;
  return {
    ...server,
    model: first === undefined || models.includes(preferred) ? preferred : first,
  };
}
