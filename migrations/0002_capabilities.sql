CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`digest` text NOT NULL,
	`user_id` text NOT NULL,
	`operator` integer NOT NULL,
	`provider` text NOT NULL,
	`user_agent` text,
	`last_seen_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_by_digest` ON `sessions` (`digest`);--> statement-breakpoint
CREATE INDEX `sessions_of_user` ON `sessions` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_by_last_use` ON `sessions` (`last_seen_at_ms`);--> statement-breakpoint
CREATE TABLE `sign_ins` (
	`state_digest` text PRIMARY KEY NOT NULL,
	`browser_digest` text NOT NULL,
	`provider` text NOT NULL,
	`issuer` text NOT NULL,
	`return_to` text NOT NULL,
	`secrets` text NOT NULL,
	`invitation_digest` text,
	`expires_at_ms` integer NOT NULL
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `sign_ins_by_expiry` ON `sign_ins` (`expires_at_ms`);--> statement-breakpoint
CREATE TABLE `instance_bindings` (
	`tenant_id` text NOT NULL,
	`reader_id` text NOT NULL,
	`variable` text NOT NULL,
	`upstream_id` text NOT NULL,
	`output` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `reader_id`, `variable`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `instance_bindings_by_upstream` ON `instance_bindings` (`tenant_id`,`upstream_id`,`output`);--> statement-breakpoint
CREATE TABLE `removed_members` (
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`removed_at_ms` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `user_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `tenant_email_domains` (
	`tenant_id` text NOT NULL,
	`domain` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `domain`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `tenants_by_email_domain` ON `tenant_email_domains` (`domain`,`tenant_id`);--> statement-breakpoint
CREATE TABLE `webhook_recoveries` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`state` text NOT NULL,
	`since_ms` integer NOT NULL,
	`until_ms` integer NOT NULL,
	`until_now` integer NOT NULL,
	`after_id` text NOT NULL,
	`count` integer NOT NULL,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `webhook_recoveries_running` ON `webhook_recoveries` (`webhook_id`) WHERE state = 'RUNNING';--> statement-breakpoint
ALTER TABLE `events` ADD `trace` text;--> statement-breakpoint
ALTER TABLE `members` ADD `via` text;--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `held_at_ms` integer;--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `repeats_id` text;--> statement-breakpoint
ALTER TABLE `webhook_deliveries` ADD `repeated_by_id` text;--> statement-breakpoint
CREATE INDEX `webhook_deliveries_held` ON `webhook_deliveries` (`webhook_id`,`id`) WHERE held_at_ms IS NOT NULL;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `failing_event_id` text;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `failures_in_row` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `circuit_open_since_ms` integer;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `next_probe_at_ms` integer;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `probe_delivery_id` text;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `circuit_closed_at_ms` integer;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `draining` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `deployments` ADD `requested_by_person` text;--> statement-breakpoint
CREATE INDEX `deployments_open_of_instance` ON `deployments` (`instance_id`,`id`) WHERE state IN ('QUEUED', 'PLANNING', 'APPLYING', 'CANCELING');--> statement-breakpoint
CREATE INDEX `deployments_parked` ON `deployments` (`updated_at_ms`) WHERE state IN ('AWAITING_APPROVAL');--> statement-breakpoint
ALTER TABLE `instances` ADD `secret_outputs` text;--> statement-breakpoint
ALTER TABLE `instances` ADD `output_hashes` text;--> statement-breakpoint
ALTER TABLE `triggers` ADD `hops` integer;--> statement-breakpoint
ALTER TABLE `triggers` ADD `token_digest` text;--> statement-breakpoint
ALTER TABLE `triggers` ADD `signing_secret` text;--> statement-breakpoint
CREATE UNIQUE INDEX `triggers_by_token` ON `triggers` (`token_digest`) WHERE token_digest IS NOT NULL;
--> statement-breakpoint
INSERT INTO `tenant_email_domains` (`tenant_id`, `domain`)
	SELECT DISTINCT t.id, lower(trim(value)) FROM tenants t, json_each(t.allowed_email_domains) WHERE trim(value) <> '';
--> statement-breakpoint
INSERT INTO `instance_bindings` (`tenant_id`, `reader_id`, `variable`, `upstream_id`, `output`)
	SELECT i.tenant_id, i.id, b.key, b.value ->> '$.instanceId', b.value ->> '$.output' FROM instances i, json_each(i.bindings) b;
