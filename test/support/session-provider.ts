/** The sign-in provider of the sessions that tests make without signing in. Nobody is ever sent there. */
export const sessionProvider = {
  id: "test",
  label: "Test",
  issuer: "https://id.test",
  clientId: "test",
  tokenEndpointAuthMethod: "none",
} as const;
