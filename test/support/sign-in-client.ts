/** The client settings that the test's sign-in provider and the service share. */
export const signInClient = {
  id: "control",
  secret: "the secret of the test's client",
  redirectUri: "https://control.test/api/v1/auth/oidc/local/callback",
} as const;
