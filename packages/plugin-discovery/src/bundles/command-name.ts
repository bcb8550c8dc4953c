/**
 * Returns the name of the slash command of a bundle, whose prompts are its variants: `/name:prompt`.
 * @param id - ID of the bundle as a plugin
 */
export function commandName(id: string): string {
  const name = id.replaceAll(/[^a-z0-9_-]+/g, "-").slice(0, 32);
  return /^[a-z]/.test(name) ? name : `b-${name}`.slice(0, 32);
}
