/** The rate limit of every caller. It must equal `[[ratelimits]]` in wrangler.toml; a test compares them. */
export const defaultPolicy = { name: "default", quota: 600, windowSeconds: 60 } as const;

/** The rate limit of a tenant's changes, by all its keys and members together. It must equal wrangler.toml's, too. */
export const changePolicy = { name: "changes", quota: 1200, windowSeconds: 60 } as const;
