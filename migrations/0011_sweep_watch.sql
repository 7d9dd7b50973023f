CREATE TABLE `sweep_watch` (
	`id` integer PRIMARY KEY NOT NULL,
	`swept_at_ms` integer NOT NULL,
	`reconciled_to` text
);
