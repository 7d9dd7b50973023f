/** Projects and the objects in them: keys, functions, secrets, branches. */
import { aMap, aText, field, fields, flag, text } from "#providers/rest/fields.ts";
import type { SupabaseType } from "./prepare-request.ts";

/** The path of a project, by its `ref`. */
export const PROJECT = "/v1/projects/{ref}";

export const refField = text("The `ref` of its project.");
/** Ids of objects in a project begin with the project's. */
export const inProject = { id: { within: "{ref}" }, refers: { ref: "Project" } } as const;

/** States that a project does not leave by itself. */
export const stuck = ["INACTIVE", "INIT_FAILED", "PAUSE_FAILED", "REMOVED", "RESTORE_FAILED"];

export function projectRows(): Readonly<Record<string, SupabaseType>> {
  const sizes = ["micro", "small", "medium", "large", "xlarge"];
  const multiples = ["2", "4", "8", "12", "16", "24", "48"].map((count) => `${count}xlarge`);
  const special = ["24xlarge", "48xlarge"].flatMap((size) =>
    ["optimized_memory", "optimized_cpu", "high_memory"].map((kind) => `${size}_${kind}`),
  );
  const all = [...sizes, ...multiples, ...special];
  const state = {
    path: "status",
    ready: ["ACTIVE_HEALTHY"],
    fail: stuck,
    mendable: true,
  } as const;
  const onlyThere = { maxLength: 64, alphabet: "underscores", letterFirst: true } as const;

  return {
    Project: {
      description: "A project: a PostgreSQL database with its APIs.",
      path: "/v1/projects",
      id: { at: "ref" },
      region: { property: "region" },
      defaults: { region: { region: true }, organization_slug: { config: "organizationSlug" } },
      takes: fields(
        {
          name: text("The name."),
          organization_slug: text("The slug of its organization."),
          region: text("The region, such as `eu-central-1`."),
          db_pass: text("The password of the database. A change sets it."),
          desired_instance_size: text("The size of its instance.", ...all),
          template_url: text("The URL of the template that it is made from."),
        },
        ["organization_slug", "region", "db_pass"],
      ),
      name: { property: "name", rule: { maxLength: 64 } },
      update: "none",
      parts: [
        { properties: ["name"], method: "PATCH", path: "/v1/projects/{id}" },
        {
          properties: ["db_pass"],
          method: "PATCH",
          path: "/v1/projects/{id}/database/password",
          body: { password: "{db_pass}" },
          absent: "keep",
        },
        {
          properties: ["desired_instance_size"],
          method: "PATCH",
          path: "/v1/projects/{id}/billing/addons",
          body: { addon_type: "compute_instance", addon_variant: "ci_{desired_instance_size}" },
          absent: "keep",
        },
      ],
      onlyAtCreate: { template_url: "Make another project from the template." },
      writeOnly: ["db_pass", "desired_instance_size", "template_url"],
      read: { back: true },
      state: { ...state, gone: ["REMOVED"] },
      find: {
        by: "properties",
        properties: ["name", "organization_slug", "region"],
        createdAt: "created_at",
      },
      timing: { pollMs: 10_000, createMinutes: 20, updateMinutes: 20, deleteMinutes: 10 },
    },

    ApiKey: {
      description: "An API key of a project.",
      path: `${PROJECT}/api-keys`,
      paths: {
        create: `${PROJECT}/api-keys?reveal=true`,
        item: `${PROJECT}/api-keys/{id}?reveal=true`,
      },
      ...inProject,
      takes: fields(
        {
          ref: refField,
          name: text("The name: lower-case letters, digits and underscores."),
          type: text("What it is.", "publishable", "secret"),
          description: text("A description."),
          secret_jwt_template: field("Claims of the tokens that a secret key stands for.", aMap),
        },
        ["ref", "type"],
      ),
      name: { property: "name", rule: onlyThere },
      update: "PATCH",
      immutable: ["type"],
      secretOutputs: ["api_key", "hash"],
      find: { by: "properties", properties: ["name", "type"], createdAt: "inserted_at" },
    },

    Function: {
      description: "An Edge Function: a single file.",
      path: `${PROJECT}/functions`,
      // Its place. What is sent there goes to the deploy.
      paths: { create: `${PROJECT}/functions/{slug}` },
      ...inProject,
      takes: fields(
        {
          ref: refField,
          slug: text("Its name in URLs."),
          name: text("The name."),
          body: text("The source."),
          verify_jwt: flag("Whether callers need a valid token."),
        },
        ["ref", "name", "body"],
      ),
      id: { ...inProject.id, at: "slug", known: "{slug}" },
      name: { property: "slug", rule: { maxLength: 64, letterFirst: true } },
      // A deploy would overwrite an existing function.
      create: { guard: "read" },
      deploys: true,
      update: "none",
      parts: [
        {
          properties: ["name", "body", "verify_jwt"],
          method: "PATCH",
          path: `${PROJECT}/functions/{id}`,
          absent: "keep",
        },
      ],
      writeOnly: ["body"],
      state: { path: "status", gone: ["REMOVED"] },
      find: { by: "properties", properties: ["slug"], createdAt: "created_at" },
    },

    Secret: {
      description: "A secret of a project's functions. The cloud shows a digest of its value.",
      path: `${PROJECT}/secrets`,
      paths: { item: `${PROJECT}/secrets` },
      ...inProject,
      takes: fields(
        { ref: refField, name: text("The name; not `SUPABASE_…`."), value: text("The value.") },
        ["ref", "value"],
      ),
      id: { ...inProject.id, at: "name", known: "{name}" },
      name: { property: "name", rule: onlyThere },
      // A POST would overwrite an existing secret.
      create: { guard: "read" },
      read: { fromList: true },
      asList: true,
      update: "POST",
      delete: { body: ["{id}"] },
      immutable: ["name"],
      writeOnly: ["value"],
      secretOutputs: ["value"],
      find: { by: "place", createdAt: "updated_at" },
    },

    Branch: {
      description: "A branch of a project: a project of its own beside it.",
      path: `${PROJECT}/branches`,
      paths: { delete: "/v1/branches/{id}" },
      ...inProject,
      region: { property: "region", elsewhere: true },
      takes: fields(
        {
          ref: refField,
          branch_name: text("The name."),
          git_branch: text("The branch of the repository."),
          persistent: flag("Whether it stays when its pull request ends."),
          notify_url: text("The URL that is told of what happens."),
          region: text("The region; without one, the project's."),
          desired_instance_size: text("The size of its instance.", "pico", "nano", ...all),
          postgres_engine: text("The version of PostgreSQL.", "15", "17", "17-oriole"),
          secrets: field("Secrets of its functions.", { type: "object", items: aText }),
          with_data: flag("Whether it begins with the project's data."),
        },
        ["ref"],
      ),
      name: { property: "branch_name" },
      compare: { at: { branch_name: "name" } },
      read: { fromList: true, further: [{ path: "/v1/branches/{id}", to: "config" }] },
      secretOutputs: ["config.db_pass", "config.jwt_secret"],
      update: "none",
      parts: [
        {
          properties: ["branch_name", "git_branch", "persistent", "notify_url"],
          method: "PATCH",
          path: "/v1/branches/{id}",
          absent: "keep",
        },
      ],
      writeOnly: ["region", "desired_instance_size", "postgres_engine", "secrets"],
      state: { ...state, at: "/v1/branches/{id}" },
      find: { by: "properties", properties: ["branch_name"], createdAt: "created_at" },
      timing: { pollMs: 10_000, createMinutes: 30 },
    },
  };
}
