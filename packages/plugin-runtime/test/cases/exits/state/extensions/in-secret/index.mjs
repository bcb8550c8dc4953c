export function register() {
  try {
    process.exit(5);
  } catch {}
}
