import { vi } from "vitest";

/**
 * Resolves with what a check returns, once it returns something.
 * @param check - returns undefined to continue the wait
 */
export async function eventually<Value>(check: () => Promise<Value | undefined>): Promise<Value> {
  return await vi.waitFor(
    async () => {
      const value = await check();
      if (value === undefined) throw new Error("not yet");
      return value;
    },
    { timeout: 40_000, interval: 5 },
  );
}
