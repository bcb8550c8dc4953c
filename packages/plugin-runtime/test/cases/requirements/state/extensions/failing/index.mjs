export function register() {
  throw new Error("no");
}
