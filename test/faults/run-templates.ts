/** The templates of the runs in run-scenes.ts. */

export const before = `
name: crashes
runtime: yaml
resources:
  net: { type: mock:Network, properties: { name: net, cidr: 10.0.0.0/16, label: one } }
  db:
    type: mock:Database
    properties: { name: db, engine: pg, network: "\${net.id}" }
    options: { deleteBeforeReplace: true }
  app: { type: mock:Server, properties: { name: app, image: v1, db: "\${db.id}" } }
  old: { type: mock:Bucket, properties: { name: old, network: "\${net.id}" } }
outputs:
  app: \${app.name}
`;
/** Updates net, replaces db (old first) and app (new first), deletes old, creates fresh. */
export const after = `
name: crashes
runtime: yaml
resources:
  net: { type: mock:Network, properties: { name: net, cidr: 10.0.0.0/16, label: two } }
  db:
    type: mock:Database
    properties: { name: db, engine: mysql, network: "\${net.id}" }
    options: { deleteBeforeReplace: true }
  app: { type: mock:Server, properties: { name: app, image: v2, db: "\${db.id}" } }
  fresh: { type: mock:Bucket, properties: { name: fresh } }
outputs:
  app: \${app.name}
`;

/** One object; for runs that wait for approval or are canceled. */
export const small = `
name: small
runtime: yaml
config:
  size: { type: string, default: one }
resources:
  box:
    type: mock:Bucket
    properties: { name: box, size: "\${size}" }
    options: { customTimeouts: { create: 1s } }
outputs:
  size: \${box.size}
`;
/** The same, with time to find the object of a slow request. */
export const patient = small.replace("create: 1s", "create: 1m");

/** Imports `kept`, renames `one`, retains `left`, and replaces `db`, for which `app` is deleted first. */
export const options = `
name: crashes
runtime: yaml
resources:
  kept: { type: mock:Bucket, properties: { name: kept, label: old }, options: { import: %ID% } }
  uno: { type: mock:Bucket, properties: { name: one }, options: { aliases: [one] } }
  db:
    type: mock:Database
    properties: { name: db, engine: mysql }
    options: { deleteBeforeReplace: true }
  app: { type: mock:Server, properties: { name: app, image: "\${db.id}" } }
`;
export const beforeOptions = `
name: crashes
runtime: yaml
resources:
  one: { type: mock:Bucket, properties: { name: one } }
  left: { type: mock:Bucket, properties: { name: left }, options: { retainOnDelete: true } }
  db:
    type: mock:Database
    properties: { name: db, engine: pg }
    options: { deleteBeforeReplace: true }
  app: { type: mock:Server, properties: { name: app, image: "\${db.id}" } }
`;

/** A service, and the same with another size, one label less and other rules: an update of two calls. */
export const service = `
name: nested
runtime: yaml
resources:
  api:
    type: mock:Service
    properties:
      name: api
      size: s
      settings: { tier: a, labels: { x: one, y: two } }
      rules: [{ port: 443 }, { port: 22 }]
`;
export const changedService = `
name: nested
runtime: yaml
resources:
  api:
    type: mock:Service
    properties:
      name: api
      size: l
      settings: { tier: a, labels: { x: one } }
      rules: [{ port: 443 }, { port: 80 }]
`;
