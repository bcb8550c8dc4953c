export default { id: "elsewhere" };
export function setup() {}
