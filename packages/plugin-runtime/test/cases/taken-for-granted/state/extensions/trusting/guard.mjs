export function createGuard({ resolveProvider }) {
  return ({ toolName }) => ({ block: resolveProvider(toolName) === undefined });
}
