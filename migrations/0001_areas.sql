CREATE TABLE `audit_seals` (
	`tenant_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`prev_hash` text NOT NULL,
	`hash` text NOT NULL,
	`sealed_at_ms` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `sequence`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `members` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`user_id` text NOT NULL,
	`role` text NOT NULL,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_by_user` ON `members` (`tenant_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `members_by_tenant` ON `members` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `members_of_user` ON `members` (`user_id`);--> statement-breakpoint
CREATE TABLE `monthly_usage` (
	`tenant_id` text NOT NULL,
	`month` text NOT NULL,
	`limit_name` text NOT NULL,
	`used` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `month`, `limit_name`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`email_trusted` integer NOT NULL,
	`name` text,
	`issuer` text,
	`subject` text,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `users_by_email` ON `users` (`email`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_by_identity` ON `users` (`issuer`,`subject`);--> statement-breakpoint
CREATE UNIQUE INDEX `users_expected` ON `users` (`email`) WHERE issuer IS NULL;--> statement-breakpoint
CREATE TABLE `import_parts` (
	`tenant_id` text NOT NULL,
	`import_id` text NOT NULL,
	`part` text NOT NULL,
	`chunk` integer NOT NULL,
	`items` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `import_id`, `part`, `chunk`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `imports` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`state` text NOT NULL,
	`formats` text NOT NULL,
	`progress` text NOT NULL,
	`counts` text NOT NULL,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `imports_by_tenant` ON `imports` (`tenant_id`,`id`);--> statement-breakpoint
CREATE TABLE `incident_updates` (
	`tenant_id` text NOT NULL,
	`incident_id` text NOT NULL,
	`id` text NOT NULL,
	`status` text NOT NULL,
	`impact` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`message` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `incident_id`, `id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `incidents` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`title` text NOT NULL,
	`status` text NOT NULL,
	`impact` text NOT NULL,
	`components` text NOT NULL,
	`message` text NOT NULL,
	`resolved_at_ms` integer,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `incidents_by_tenant` ON `incidents` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `incidents_by_resolution` ON `incidents` (`tenant_id`,`resolved_at_ms`,`id`);--> statement-breakpoint
CREATE TABLE `triggers` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`instance_id` text NOT NULL,
	`kind` text NOT NULL,
	`enabled` integer NOT NULL,
	`condition` text NOT NULL,
	`template_id` text,
	`last_fired_at_ms` integer,
	`last_deployment_id` text,
	`pending_version` integer,
	`next_fire_at_ms` integer,
	`suppressed_reason` text,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `triggers_by_instance` ON `triggers` (`instance_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `triggers_expiry` ON `triggers` (`instance_id`) WHERE kind = 'expiry';--> statement-breakpoint
CREATE INDEX `triggers_due` ON `triggers` (`next_fire_at_ms`) WHERE next_fire_at_ms IS NOT NULL;--> statement-breakpoint
CREATE INDEX `triggers_by_template` ON `triggers` (`template_id`) WHERE template_id IS NOT NULL;--> statement-breakpoint
CREATE TABLE `license_notices` (
	`id` text PRIMARY KEY NOT NULL,
	`at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `listing_slugs` (
	`slug` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`listing_id` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `listing_slugs_by_listing` ON `listing_slugs` (`listing_id`);--> statement-breakpoint
CREATE TABLE `listings` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`template_id` text NOT NULL,
	`template_version` integer,
	`slug` text NOT NULL,
	`title` text NOT NULL,
	`summary` text NOT NULL,
	`description` text NOT NULL,
	`categories` text NOT NULL,
	`tags` text NOT NULL,
	`badges` text NOT NULL,
	`status` text NOT NULL,
	`revision` text,
	`review_notes` text,
	`installs` integer NOT NULL,
	`sort_title` text NOT NULL,
	`search_text` text NOT NULL,
	`submitted_at_ms` integer,
	`published_at_ms` integer,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `listings_by_tenant` ON `listings` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `listings_by_tenant_title` ON `listings` (`tenant_id`,`sort_title`,`id`);--> statement-breakpoint
CREATE INDEX `listings_by_status` ON `listings` (`status`,`id`);--> statement-breakpoint
CREATE INDEX `listings_by_status_title` ON `listings` (`status`,`sort_title`,`id`);--> statement-breakpoint
CREATE INDEX `listings_by_title` ON `listings` (`sort_title`,`id`);--> statement-breakpoint
CREATE TABLE `announced_statuses` (
	`tenant_id` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`after_tenant_id` text,
	`version` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `status_days` (
	`tenant_id` text NOT NULL,
	`day` text NOT NULL,
	`finished` integer NOT NULL,
	`failed` integer NOT NULL,
	PRIMARY KEY(`tenant_id`, `day`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `profiles` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`variables` text NOT NULL,
	`target_id` text,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `profiles_by_tenant` ON `profiles` (`tenant_id`,`id`);--> statement-breakpoint
CREATE INDEX `profiles_by_target` ON `profiles` (`target_id`);--> statement-breakpoint
CREATE TABLE `feature_flags` (
	`id` text PRIMARY KEY NOT NULL,
	`key` text NOT NULL,
	`type` text NOT NULL,
	`enabled` integer NOT NULL,
	`variants` text NOT NULL,
	`default_variant` text NOT NULL,
	`rules` text NOT NULL,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `feature_flags_key_unique` ON `feature_flags` (`key`);--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`tenant_id` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`digest` text NOT NULL,
	`invited_by` text NOT NULL,
	`version` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`updated_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_by_email` ON `invitations` (`tenant_id`,`email`);--> statement-breakpoint
CREATE INDEX `invitations_by_tenant` ON `invitations` (`tenant_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_by_digest` ON `invitations` (`digest`);--> statement-breakpoint
CREATE TABLE `tenant_purges` (
	`id` text PRIMARY KEY NOT NULL,
	`deleted_at_ms` integer NOT NULL,
	`due_at_ms` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `api_keys` ADD `previous_digest` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `previous_expires_at_ms` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `creator_user_id` text;--> statement-breakpoint
CREATE INDEX `api_keys_live` ON `api_keys` (`tenant_id`) WHERE revoked_at_ms IS NULL;--> statement-breakpoint
ALTER TABLE `audit_events` ADD `sequence` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `audit_events_by_sequence` ON `audit_events` (`tenant_id`,`sequence`);--> statement-breakpoint
ALTER TABLE `cloud_targets` ADD `verification` text DEFAULT 'UNVERIFIED' NOT NULL;--> statement-breakpoint
ALTER TABLE `cloud_targets` ADD `verified_at_ms` integer;--> statement-breakpoint
ALTER TABLE `tenants` ADD `public_status` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `instances_by_profile` ON `instances` (`profile_id`) WHERE profile_id IS NOT NULL;--> statement-breakpoint
CREATE TRIGGER `audit_seals_no_update` BEFORE UPDATE ON `audit_seals` BEGIN SELECT RAISE(ABORT, 'audit seals are append-only'); END;--> statement-breakpoint
CREATE TRIGGER `audit_seals_no_delete` BEFORE DELETE ON `audit_seals` BEGIN SELECT RAISE(ABORT, 'audit seals are append-only'); END;
