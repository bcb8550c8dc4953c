export default { id: "of-next-api", register() {} };
