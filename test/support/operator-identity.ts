/** The identity on the operator list of the service under test. */
export const operatorIdentity = { issuer: "https://id.test", subject: "operator" } as const;
