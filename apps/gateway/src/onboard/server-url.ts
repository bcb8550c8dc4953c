import type { Answers } from "./answers.js";
import { providerOf } from "./provider.js";

/**
 * Returns the URL of the API for a setup.
 * @param answers - provider, and URL if the operator named one
 * @param environment - environment variables of the command
 */
export function urlOf(answers: Answers, environment: NodeJS.ProcessEnv): string {
  const { variables, defaultURL = "" } = providerOf(answers.provider);
  const fromVariable = variables.baseURL === undefined ? undefined : environment[variables.baseURL];
  return answers.baseURL ?? (fromVariable || defaultURL);
}
