export async function register(api) {
  api.registerTool({ name: "half", description: "", parameters: {}, execute: () => "" });
  await null;
  process.exit(4);
}
