/** Paths of the views; one that ends in `/*` stands for every path below. The gateway serves the page at each of them. */
export const CONSOLE_VIEWS: readonly string[] = [
  "/",
  "/approvals",
  "/approvals/*",
  "/approve/*",
  "/chat",
  "/chat/*",
  "/runs",
  "/runs/*",
  "/sessions",
  "/plugins",
  "/usage",
  "/settings",
  "/settings/*",
];
