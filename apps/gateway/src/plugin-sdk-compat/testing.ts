type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Runs something with other environment variables, and puts the old ones back.
 * @param variables - undefined removes one
 * @param work - what is run
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
 * The same for work that takes time.
 * @param variables - undefined removes one
 * @param work - what is run
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
 * Remembers environment variables.
 * @param names - which ones
 * @returns puts them back
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
