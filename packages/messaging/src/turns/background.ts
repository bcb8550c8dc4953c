import type { Turn } from "@openclaw/store";

/** Returns true for a turn that no user waits for at this moment. */
export function isInBackground({ trigger }: Pick<Turn, "trigger">): boolean {
  return trigger === "job" || trigger === "cron" || trigger === "heartbeat";
}
