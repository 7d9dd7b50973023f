/** The sign-in provider of sessions that tests create without signing in. It is never contacted. */
export const sessionProvider = {
  id: "test",
  label: "Test",
  issuer: "https://id.test",
  clientId: "test",
  tokenEndpointAuthMethod: "none",
} as const;
