import type { Terminal } from "./terminal.js";

const VARIABLES = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"];

let isInUse = false;

/**
 * Lets the requests of this process follow the proxies of the environment (SAFE-220). Without such a variable no code is
 * loaded.
 * @param environment - environment variables, with those of `.env`
 * @param terminal - receives a note about a variable that is not usable
 */
export async function useEnvironmentProxy(
  environment: NodeJS.ProcessEnv,
  terminal: Pick<Terminal, "note">,
): Promise<void> {
  const isSet = VARIABLES.some(
    (name) => (environment[name] ?? "") !== "" || (environment[name.toLowerCase()] ?? "") !== "",
  );
  if (!isSet && !isInUse) return;
  isInUse = true;
  const { ProxyRules, useProxyOf } = await import("@openclaw/safety");
  for (const { variable, problem } of new ProxyRules(environment).problems) {
    terminal.note(`openclaw: ${variable} ${problem}; requests that would use it fail`);
  }
  await useProxyOf(environment);
}
