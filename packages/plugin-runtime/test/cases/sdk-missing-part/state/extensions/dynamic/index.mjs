export async function register() {
  await import("openclaw/plugin-sdk/hook");
}
