type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Runs a function with changed environment variables, and restores the old ones.
 * @param variables - values to set; undefined removes a variable
 * @param work - function to run
 * @deprecated Use the test kit.
 */
export function withEnv<Result>(variables: Variables, work: () => Result): Result {
  const before = captureEnv(Object.keys(variables));
  setAll(variables);
  try {
    return work();
  } finally {
    before.restore();
  }
}

/**
 * Runs an asynchronous function with changed environment variables, and restores the old ones.
 * @param variables - values to set; undefined removes a variable
 * @param work - function to run
 * @deprecated Use the test kit.
 */
export async function withEnvAsync<Result>(
  variables: Variables,
  work: () => Promise<Result>,
): Promise<Result> {
  const before = captureEnv(Object.keys(variables));
  setAll(variables);
  try {
    return await work();
  } finally {
    before.restore();
  }
}

/**
 * Saves environment variables.
 * @param names - names of the variables
 * @returns handle that restores them
 * @deprecated Use the test kit.
 */
export function captureEnv(names: readonly string[]): { restore(): void } {
  const values = Object.fromEntries(names.map((name) => [name, process.env[name]]));
  return { restore: () => setAll(values) };
}

function setAll(variables: Variables): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}
