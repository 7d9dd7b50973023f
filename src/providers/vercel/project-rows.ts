import {
  aFlag,
  aMap,
  aNumber,
  aText,
  field,
  fields,
  flag,
  group,
  listOf,
  oneOf,
  someTexts,
  text,
  texts,
  whole,
} from "#providers/rest/fields.ts";
import type { RestPart, WholePart } from "#providers/rest/rest-part.ts";
import type { VercelRows } from "./vercel-type.ts";

/** The key of a target's config that lets code choose the regions of functions. */
export const CODE_CHOOSES = "codeChoosesRegions";
/** Files of a deployment that name regions for all functions or one. */
const settingsFiles = [
  "vercel.json",
  "now.json",
  ...["ts", "mts", "cts", "js", "mjs", "cjs"].map((ending) => `vercel.${ending}`),
  ".vc-config.json",
];

/** A property that null does not unset. Nothing unsets it, or `absent` does. */
function apart(path: string, property: string, absent: WholePart["absent"] = "keep"): RestPart {
  return { properties: [property], method: "PATCH", path, absent };
}

const FIREWALL = "/v1/security/firewall/config";

export function projectRows(): VercelRows {
  const project = text("The id of its project.");
  const inProject = { refers: { projectId: "Project" }, id: { within: "{projectId}" } } as const;
  const protectedTypes = [
    "all",
    "preview",
    "prod_deployment_urls_and_all_previews",
    "all_except_custom_domains",
  ];
  const protectedBy = oneOf(...protectedTypes);
  /** Settings that a create does not take. Null does not unset them, and would remove a protection. */
  const laterFlags = [
    "autoAssignCustomDomains",
    "autoExposeSystemEnvs",
    "customerSupportCodeVisibility",
    "directoryListing",
    "gitForkProtection",
    "gitLFS",
    "sourceFilesOutsideRootDirectory",
  ];
  const later = [
    ...laterFlags,
    "nodeVersion",
    "skewProtectionMaxAge",
    "passwordProtection",
    "trustedIps",
    "optionsAllowlist",
  ];
  const mitigation = group(
    {
      action: oneOf("log", "challenge", "deny", "bypass", "rate_limit", "redirect"),
      rateLimit: group(
        {
          algo: oneOf("fixed_window", "token_bucket"),
          window: aNumber,
          limit: aNumber,
          keys: someTexts,
          action: oneOf("log", "challenge", "deny", "rate_limit"),
        },
        ["algo", "window", "limit", "keys"],
      ),
      redirect: group({ location: aText, permanent: aFlag }, ["location", "permanent"]),
      actionDuration: aText,
      bypassSystem: aFlag,
    },
    ["action"],
  );
  const attack = group({ active: aFlag, action: oneOf("deny", "log") }, ["active", "action"]);
  const attacks = group(
    Object.fromEntries(
      ["sd", "ma", "lfi", "rfi", "rce", "php", "gen", "xss", "sqli", "sf", "java"].map((name) => [
        name,
        attack,
      ]),
    ),
  );
  const targets = listOf(oneOf("production", "preview", "development"));

  return {
    Project: {
      description: "A project.",
      path: "/v11/projects",
      paths: { list: "/v10/projects?limit=100", item: "/v9/projects/{id}" },
      envelope: { list: "projects" },
      paging: { by: "cursor", at: "pagination.next", query: "from" },
      region: {
        property: "serverlessFunctionRegion",
        elsewhere: { "resourceConfig.functionDefaultRegions": true },
        more: ["resourceConfig.functionDefaultRegions[*]"],
      },
      facts: {
        farCopies: { "resourceConfig.functionZeroConfigFailover": [true] },
        // Vercel deploys pushed commits by itself.
        unseenRegions: { at: { gitRepository: true }, allowedBy: CODE_CHOOSES },
      },
      defaults: { serverlessFunctionRegion: { region: true } },
      takes: fields({
        name: text("The name, unique in the team."),
        framework: text("The framework."),
        buildCommand: text("The command that builds it."),
        devCommand: text("The command that runs it for development."),
        installCommand: text("The command that installs what it needs."),
        commandForIgnoringBuildStep: text("The command that says whether to build."),
        outputDirectory: text("The directory with what was built."),
        rootDirectory: text("The directory in the repository."),
        publicSource: flag("Whether everybody may see sources and logs."),
        gitRepository: field(
          "The repository.",
          group({ type: oneOf("github", "github-limited", "gitlab", "bitbucket"), repo: aText }, [
            "type",
            "repo",
          ]),
        ),
        serverlessFunctionRegion: text("The region of its functions."),
        resourceConfig: field(
          "How its functions run.",
          group({
            fluid: aFlag,
            functionDefaultRegions: someTexts,
            functionDefaultTimeout: aNumber,
            functionDefaultMemoryType: oneOf("standard_legacy", "standard", "performance"),
            functionZeroConfigFailover: aFlag,
            elasticConcurrencyEnabled: aFlag,
            buildMachineType: oneOf("enhanced", "turbo"),
          }),
        ),
        ssoProtection: field(
          "Which deployments only members of the team see.",
          group({ deploymentType: protectedBy }, ["deploymentType"]),
        ),
        oidcTokenConfig: field(
          "The tokens that its functions get.",
          group({ enabled: aFlag, issuerMode: oneOf("team", "global") }),
        ),
        previewDeploymentsDisabled: flag("Whether branches are not deployed."),
        ...Object.fromEntries(
          laterFlags.map((name) => [name, flag("As Vercel's API describes it.")]),
        ),
        nodeVersion: text("The version of Node.js, such as `22.x`."),
        skewProtectionMaxAge: whole("For how many seconds older deployments still answer."),
        passwordProtection: field(
          "Which deployments ask for a password.",
          group({ deploymentType: protectedBy, password: aText }, ["deploymentType"]),
        ),
        trustedIps: field(
          "From which addresses deployments can be reached.",
          group(
            {
              deploymentType: oneOf(...protectedTypes, "production"),
              addresses: listOf(group({ value: aText, note: aText }, ["value"])),
              protectionMode: oneOf("exclusive", "additional"),
            },
            ["deploymentType", "addresses", "protectionMode"],
          ),
        ),
        optionsAllowlist: field(
          "Paths that OPTIONS requests reach in spite of a protection.",
          group({ paths: listOf(group({ value: aText }, ["value"])) }, ["paths"]),
        ),
        enableAffectedProjectsDeployments: flag("Whether only affected projects are built."),
      }),
      name: { property: "name", rule: { maxLength: 100 }, unique: true },
      update: "PATCH",
      parts: [
        ...[
          "resourceConfig",
          "oidcTokenConfig",
          "enableAffectedProjectsDeployments",
          "serverlessFunctionRegion",
          // Null opens the deployments to everybody.
          "ssoProtection",
        ].map((name) => apart("/v9/projects/{id}", name)),
        {
          properties: later,
          method: "PATCH",
          path: "/v9/projects/{id}",
          absent: "keep",
          afterCreate: true,
        },
      ],
      onlyAtCreate: {
        gitRepository: "Connect the project to another repository in Vercel's dashboard.",
      },
      writeOnly: [
        "gitRepository",
        "serverlessFunctionRegion",
        "previewDeploymentsDisabled",
        "passwordProtection.password",
      ],
      // The key of a bypass opens protected deployments, and the URL of a hook deploys.
      secretOutputs: [
        "env[*].value",
        "env[*].vsmValue",
        "env[*].internalContentHint",
        "protectionBypass",
        "link.deployHooks",
        "passwordProtection.password",
      ],
      find: { by: "properties", properties: ["name"], createdAt: "createdAt" },
    },

    EnvVar: {
      description: "An environment variable of a project. It counts from the next deployment on.",
      path: "/v10/projects/{projectId}/env",
      paths: {
        item: "/v9/projects/{projectId}/env/{id}",
        read: "/v1/projects/{projectId}/env/{id}",
      },
      envelope: { create: "created", list: "envs" },
      refused: "failed.0",
      paging: { by: "cursor", at: "pagination.next", query: "until" },
      ...inProject,
      refers: { projectId: "Project", "customEnvironmentIds[*]": "CustomEnvironment" },
      takes: fields(
        {
          projectId: project,
          key: text("The name."),
          value: text("The value."),
          type: text("Who can read the value.", "plain", "encrypted", "sensitive"),
          target: field("The environments that have it.", targets),
          customEnvironmentIds: texts("The ids of custom environments that have it."),
          gitBranch: text("The branch whose previews have it."),
          comment: text("What it is for."),
        },
        ["projectId", "key", "value", "type"],
      ),
      createOnly: ["key", "type"],
      update: "PATCH",
      parts: [
        apart("/v9/projects/{projectId}/env/{id}", "comment", { comment: "" }),
        apart("/v9/projects/{projectId}/env/{id}", "target", { target: [] }),
        apart("/v9/projects/{projectId}/env/{id}", "customEnvironmentIds", {
          customEnvironmentIds: [],
        }),
      ],
      // Some types show it in another form, sensitive ones never.
      writeOnly: ["value"],
      secretOutputs: ["value", "vsmValue", "internalContentHint"],
      compare: { sets: ["target", "customEnvironmentIds"] },
      read: { back: true },
      // A name exists once for each environment and branch.
      deleteFirst: true,
      find: {
        by: "properties",
        properties: ["key", "target", "gitBranch"],
        createdAt: "createdAt",
      },
    },

    ProjectDomain: {
      description: "A domain of a project. It works once it is verified.",
      path: "/v10/projects/{projectId}/domains",
      paths: {
        list: "/v9/projects/{projectId}/domains?limit=100",
        item: "/v9/projects/{projectId}/domains/{id}",
      },
      envelope: { list: "domains" },
      paging: { by: "cursor", at: "pagination.next", query: "until" },
      ...inProject,
      id: { ...inProject.id, at: "name", known: "{name}" },
      refers: { projectId: "Project", customEnvironmentId: "CustomEnvironment" },
      takes: fields(
        {
          projectId: project,
          name: text("The domain."),
          gitBranch: text("The branch that it shows."),
          customEnvironmentId: text("The id of the custom environment that it shows."),
          redirect: text("The domain that it leads to."),
          redirectStatusCode: whole("The status of that: 301, 302, 307 or 308."),
        },
        ["projectId", "name"],
      ),
      name: { property: "name", unique: true },
      createOnly: ["name", "customEnvironmentId"],
      compare: { caseInsensitive: ["name"] },
      update: "PATCH",
      find: { by: "properties", properties: ["name"], createdAt: "createdAt" },
    },

    FirewallConfig: {
      description:
        "The firewall of a project: its own rules, blocked addresses and managed rules. A delete leaves it as it is, so that nothing opens.",
      path: `${FIREWALL}?projectId={projectId}`,
      paths: {
        read: `${FIREWALL}/active?projectId={id}`,
        update: `${FIREWALL}?projectId={id}`,
      },
      id: { known: "{projectId}" },
      singleton: {},
      refers: { projectId: "Project" },
      envelope: { update: "active" },
      takes: fields(
        {
          projectId: project,
          firewallEnabled: flag("Whether it works."),
          rules: field(
            "Its own rules, in their order.",
            listOf(
              group(
                {
                  name: aText,
                  description: aText,
                  active: aFlag,
                  conditionGroup: listOf(
                    group(
                      {
                        conditions: listOf(
                          group({ type: aText, op: aText, neg: aFlag, key: aText, value: {} }, [
                            "type",
                            "op",
                          ]),
                        ),
                      },
                      ["conditions"],
                    ),
                  ),
                  action: group({ mitigate: mitigation }),
                },
                ["name", "active", "conditionGroup", "action"],
              ),
            ),
          ),
          ips: field(
            "What becomes of the requests of addresses.",
            listOf(
              group(
                {
                  hostname: aText,
                  ip: aText,
                  notes: aText,
                  action: oneOf("deny", "challenge", "log", "bypass"),
                },
                ["hostname", "ip", "action"],
              ),
            ),
          ),
          crs: field("The rules against common attacks, by their short names.", attacks),
          managedRules: field("The rules that Vercel keeps, such as `bot_protection`.", aMap),
          botIdEnabled: flag("Whether BotID works."),
        },
        ["projectId", "firewallEnabled"],
      ),
      outputs: ["id", "ownerId", "projectKey", "version", "updatedAt", "changes"],
      update: "PUT",
      compare: { sets: ["ips"] },
    },

    CustomEnvironment: {
      description: "An environment of a project besides production, preview and development.",
      path: "/v9/projects/{projectId}/custom-environments",
      envelope: { list: "environments" },
      ...inProject,
      takes: fields(
        {
          projectId: project,
          slug: text("The name."),
          description: text("What it is for."),
          branchMatcher: field(
            "The branches that are deployed to it.",
            group({ type: oneOf("equals", "startsWith", "endsWith"), pattern: aText }, [
              "type",
              "pattern",
            ]),
          ),
          copyEnvVarsFrom: text("The environment whose variables it gets."),
        },
        ["projectId"],
      ),
      name: { property: "slug", rule: { maxLength: 32 }, unique: true },
      update: "PATCH",
      parts: [
        apart("/v9/projects/{projectId}/custom-environments/{id}", "description", {
          description: "",
        }),
      ],
      onlyAtCreate: { copyEnvVarsFrom: "Write variables as resources of the type vercel:EnvVar." },
      writeOnly: ["copyEnvVarsFrom"],
      find: { by: "properties", properties: ["slug"], createdAt: "createdAt" },
    },

    Deployment: {
      description: "A deployment of a project from Git or files. A change is a new deployment.",
      path: "/v13/deployments",
      paths: {
        // Not by its name: Vercel names it after its project.
        list: "/v6/deployments?projectId={project}&limit=100",
      },
      envelope: { list: "deployments" },
      paging: { by: "cursor", at: "pagination.next", query: "until" },
      refers: {
        project: "Project",
        deploymentId: "Deployment",
        customEnvironmentSlugOrId: "CustomEnvironment",
      },
      region: { more: ["projectSettings.serverlessFunctionRegion"] },
      facts: {
        unseenRegions: {
          at: {
            gitSource: true,
            deploymentId: true,
            "files[*].sha": true,
            "files[*].file": settingsFiles,
          },
          allowedBy: CODE_CHOOSES,
        },
      },
      takes: fields(
        {
          name: text("The name, of which its URL is made."),
          project: text("The id of its project."),
          target: text("`production`, or a preview without it."),
          gitSource: field("The repository, branch and commit.", aMap),
          files: field(
            "The files in place of a repository.",
            listOf(
              group(
                {
                  file: aText,
                  data: aText,
                  encoding: oneOf("utf-8", "base64"),
                  sha: aText,
                  size: aNumber,
                },
                ["file"],
              ),
            ),
          ),
          projectSettings: field(
            "Settings in place of the project's.",
            group({
              buildCommand: aText,
              commandForIgnoringBuildStep: aText,
              devCommand: aText,
              framework: aText,
              installCommand: aText,
              nodeVersion: aText,
              outputDirectory: aText,
              rootDirectory: aText,
              serverlessFunctionRegion: aText,
              skipGitConnectDuringLink: aFlag,
              sourceFilesOutsideRootDirectory: aFlag,
            }),
          ),
          gitMetadata: field("What is shown of the commit.", aMap),
          meta: field("Texts by keys.", aMap),
          deploymentId: text("The id of a deployment that is made again."),
          customEnvironmentSlugOrId: text("The custom environment in place of `target`."),
          withLatestCommit: flag("Whether that is made from the latest commit."),
        },
        ["project"],
      ),
      name: { property: "name", rule: { maxLength: 52 } },
      update: "none",
      writeOnly: [
        "name",
        "project",
        "target",
        "gitSource",
        "files",
        "projectSettings",
        "gitMetadata",
        "deploymentId",
        "customEnvironmentSlugOrId",
        "withLatestCommit",
      ],
      state: { path: "readyState", ready: ["READY"], fail: ["ERROR", "CANCELED"] },
      find: { by: "label", property: "meta", key: "control" },
      timing: { pollMs: 5_000, createMinutes: 60 },
    },
  };
}
