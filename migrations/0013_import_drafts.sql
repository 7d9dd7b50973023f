CREATE TABLE `import_drafts` (
	`tenant_id` text NOT NULL,
	`import_id` text NOT NULL,
	`module` text NOT NULL,
	`place` integer NOT NULL,
	`draft` text NOT NULL,
	PRIMARY KEY(`tenant_id`, `import_id`, `module`)
);
--> statement-breakpoint
ALTER TABLE `imports` ADD `summary` text DEFAULT '{"clouds":[],"report":null}' NOT NULL;