import { vi } from "vitest";

/**
 * Resolves with what a check returns, once it returns something.
 * @param check - returns undefined to continue the wait
 * @param interval - time between two checks in milliseconds; longer where each of them uses up something
 */
export async function eventually<Value>(
  check: () => Promise<Value | undefined>,
  interval = 5,
): Promise<Value> {
  return await vi.waitFor(
    async () => {
      const value = await check();
      if (value === undefined) throw new Error("not yet");
      return value;
    },
    { timeout: 40_000, interval },
  );
}
