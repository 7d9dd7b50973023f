CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`prefix` text NOT NULL,
	`digest` text NOT NULL,
	`scopes` text NOT NULL,
	`created_by` text NOT NULL,
	`expires_at_ms` integer,
	`revoked_at_ms` integer,
	`last_used_at_ms` integer,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `api_keys_by_tenant` ON `api_keys` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TABLE `audit_events` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`at_ms` integer NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`resource_type` text NOT NULL,
	`resource_id` text NOT NULL,
	`request_id` text NOT NULL,
	`before_digest` text,
	`after_digest` text,
	PRIMARY KEY(`tenant_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `events` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`type` text NOT NULL,
	`resource_type` text NOT NULL,
	`resource_id` text NOT NULL,
	`payload` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`principal` text NOT NULL,
	`operation` text NOT NULL,
	`key` text NOT NULL,
	`body_digest` text NOT NULL,
	`status` integer NOT NULL,
	`headers` text NOT NULL,
	`body` text NOT NULL,
	`expires_at_ms` integer NOT NULL,
	PRIMARY KEY(`principal`, `operation`, `key`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `webhook_deliveries` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`event_tenant_id` text NOT NULL,
	`event_id` text NOT NULL,
	`event_type` text NOT NULL,
	`state` text NOT NULL,
	`attempts` integer NOT NULL,
	`manual` integer NOT NULL,
	`due_at_ms` integer,
	`lease_until_ms` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhook_deliveries_by_webhook` ON `webhook_deliveries` (`webhook_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_due` ON `webhook_deliveries` (`due_at_ms`) WHERE due_at_ms IS NOT NULL;--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`url` text NOT NULL,
	`description` text NOT NULL,
	`events` text NOT NULL,
	`state` text NOT NULL,
	`disabled_reason` text,
	`secret` text NOT NULL,
	`old_secrets` text NOT NULL,
	`failing_since_ms` integer,
	`slow` integer DEFAULT false NOT NULL,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `webhooks_by_tenant` ON `webhooks` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TABLE `cloud_targets` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`provider` text NOT NULL,
	`name` text NOT NULL,
	`environment` text NOT NULL,
	`config` text NOT NULL,
	`credential_ref` text,
	`allowed_regions` text NOT NULL,
	`default_region` text NOT NULL,
	`max_concurrent_deployments` integer NOT NULL,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `cloud_targets_by_tenant` ON `cloud_targets` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TABLE `deployment_plans` (
	`tenant_id` text NOT NULL,
	`deployment_id` text NOT NULL,
	`changes` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `deployment_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `deployments` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`instance_id` text NOT NULL,
	`target_id` text NOT NULL,
	`operation` text NOT NULL,
	`state` text NOT NULL,
	`trigger` text NOT NULL,
	`requested_by` text NOT NULL,
	`inputs` text NOT NULL,
	`gate_ticket` integer,
	`summary` text,
	`plan_hash` text,
	`state_serial` integer,
	`error` text,
	`timestamps` text NOT NULL,
	`projected` integer NOT NULL,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `deployments_by_tenant` ON `deployments` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `deployments_by_instance` ON `deployments` (`instance_id`,`id`);--> statement-breakpoint
CREATE INDEX `deployments_waiting` ON `deployments` (`target_id`,`gate_ticket`) WHERE gate_ticket IS NOT NULL;--> statement-breakpoint
CREATE INDEX `deployments_open` ON `deployments` (`updated_at_ms`) WHERE state IN ('QUEUED', 'PLANNING', 'APPLYING', 'CANCELING');--> statement-breakpoint
CREATE TABLE `instances` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`template_id` text NOT NULL,
	`template_version` integer NOT NULL,
	`target_id` text NOT NULL,
	`profile_id` text,
	`variables` text NOT NULL,
	`bindings` text NOT NULL,
	`approval_mode` text,
	`protected_from_destroy` integer NOT NULL,
	`expires_at_ms` integer,
	`state` text NOT NULL,
	`drift` text NOT NULL,
	`outputs` text NOT NULL,
	`state_serial` integer NOT NULL,
	`last_deployment_id` text,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `instances_by_tenant` ON `instances` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `instances_by_target` ON `instances` (`target_id`);--> statement-breakpoint
CREATE INDEX `instances_by_template` ON `instances` (`template_id`);--> statement-breakpoint
CREATE INDEX `instances_expiring` ON `instances` (`expires_at_ms`) WHERE expires_at_ms IS NOT NULL;--> statement-breakpoint
CREATE TABLE `template_versions` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`template_id` text NOT NULL,
	`number` integer NOT NULL,
	`version` integer NOT NULL,
	`deprecated_at_ms` integer,
	`created_at_ms` integer NOT NULL,
	`secret_names` text NOT NULL,
	`outputs` text NOT NULL,
	`resources` text NOT NULL,
	`config` text NOT NULL,
	`source` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `template_versions_by_number` ON `template_versions` (`template_id`,`number`);--> statement-breakpoint
CREATE INDEX `template_versions_by_template` ON `template_versions` (`template_id`,`id`);--> statement-breakpoint
CREATE TABLE `templates` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`latest_version` integer NOT NULL,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `templates_by_tenant` ON `templates` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TABLE `tenants` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`slug` text NOT NULL,
	`limits` text NOT NULL,
	`allowed_email_domains` text NOT NULL,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tenants_slug_unique` ON `tenants` (`slug`);--> statement-breakpoint
CREATE TABLE `webhook_attempts` (
	`tenant_id` text NOT NULL,
	`id` text NOT NULL,
	`webhook_id` text NOT NULL,
	`delivery_id` text NOT NULL,
	`number` integer NOT NULL,
	`started_at_ms` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`status` integer,
	`error_class` text,
	`request_headers` text NOT NULL,
	`answer` text NOT NULL,
	`answer_cut` integer NOT NULL,
	`next_try_at_ms` integer,
	PRIMARY KEY(`tenant_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `webhook_attempts_by_delivery` ON `webhook_attempts` (`delivery_id`,`id`);
--> statement-breakpoint
CREATE TRIGGER `audit_events_no_update` BEFORE UPDATE ON `audit_events` BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_events_no_delete` BEFORE DELETE ON `audit_events` BEGIN SELECT RAISE(ABORT, 'audit events are append-only'); END;
