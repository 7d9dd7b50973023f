/** What the test's sign-in provider and the service under test both know. */
export const signInClient = {
  id: "control",
  secret: "the secret of the test's client",
  redirectUri: "https://control.test/api/v1/auth/oidc/local/callback",
} as const;
