import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import {
  erasedEvents,
  idempotencyKeys,
  type NamedMigration,
  profileRecords,
  usageKinds,
} from './migrations-of-records.js';

/** Migrations in code, since the service is bundled into one file; applied in this order, and never changed. */
const all: NamedMigration[] = [
  {
    name: '001-sessions',
    async up(knex) {
      await knex.schema.createTable('sessions', table => {
        table.text('id').primary();
        table.text('kind').notNullable();
        table.text('state').notNullable();
        table.text('region').notNullable();
        table.text('tag');
        table.text('tenant_id');
        table.text('launch').notNullable();
        table.text('defaults').notNullable();
        table.bigInteger('created_at').notNullable();
        table.bigInteger('ready_at');
        table.bigInteger('ended_at');
        table.text('end_reason');
        table.text('end_message');
        table.bigInteger('absolute_ms');
        table.bigInteger('inactive_ms');
        table.bigInteger('offline_ms');
        table.bigInteger('warning_ms');
        table.text('webhook_url');
        table.text('webhook_bearer');
        table.bigInteger('input_at').notNullable();
        table.bigInteger('offline_at');
        table.text('warned_type');
        table.bigInteger('warned_at');
        table.bigInteger('due_at');
        table.text('owner').notNullable();
        table.bigInteger('lease_until').notNullable();
        table.index(['created_at', 'id']);
        table.index(['ended_at']);
      });
      await knex.raw(
        'create unique index sessions_live_tag on sessions (tag) where ended_at is null and tag is not null',
      );
      await knex.raw('create index sessions_live on sessions (created_at, id) where ended_at is null');
      await knex.raw('create index sessions_due on sessions (due_at) where ended_at is null and due_at is not null');
    },
    async down(knex) {
      await knex.schema.dropTable('sessions');
    },
  },
  {
    name: '002-usage',
    async up(knex) {
      await knex.schema.createTable('usage', table => {
        table.text('tenant_id').notNullable();
        table.text('date').notNullable();
        table.bigInteger('ms').notNullable();
        table.primary(['tenant_id', 'date']);
        table.index(['date']);
      });
    },
    async down(knex) {
      await knex.schema.dropTable('usage');
    },
  },
  {
    name: '003-outbox',
    async up(knex) {
      await knex.schema.createTable('outbox', table => {
        table.text('id').primary();
        table.text('session_id').notNullable();
        table.text('url').notNullable();
        table.text('bearer');
        table.text('body').notNullable();
        table.bigInteger('created_at').notNullable();
        table.bigInteger('next_at').notNullable();
        table.integer('attempts').notNullable();
        table.index(['next_at']);
      });
    },
    async down(knex) {
      await knex.schema.dropTable('outbox');
    },
  },
  {
    name: '004-profiles',
    async up(knex) {
      await knex.schema.createTable('profiles', table => {
        table.text('id').primary();
        table.bigInteger('saved_at').notNullable();
        table.bigInteger('used_at').notNullable();
        table.bigInteger('bytes').notNullable();
        table.index(['used_at']);
      });
      await knex.schema.alterTable('sessions', table => {
        table.text('profile_load');
        table.text('profile_save');
        table.bigInteger('profile_pending');
      });
      await knex.raw(
        'create index sessions_profile_pending on sessions (profile_save) where profile_pending is not null',
      );
    },
    async down(knex) {
      await knex.schema.alterTable('sessions', table => {
        table.dropIndex([], 'sessions_profile_pending');
        table.dropColumns('profile_load', 'profile_save', 'profile_pending');
      });
      await knex.schema.dropTable('profiles');
    },
  },
  {
    name: '005-participants',
    async up(knex) {
      await knex.schema.alterTable('sessions', table => {
        table.text('auth');
        table.bigInteger('counted_from');
      });
    },
    async down(knex) {
      await knex.schema.alterTable('sessions', table => {
        table.dropColumns('auth', 'counted_from');
      });
    },
  },
  {
    name: '006-roms',
    async up(knex) {
      await knex.schema.alterTable('sessions', table => {
        table.text('rom');
      });
    },
    async down(knex) {
      await knex.schema.alterTable('sessions', table => {
        table.dropColumn('rom');
      });
    },
  },
  {
    name: '007-profile-kinds',
    async up(knex) {
      await knex.schema.alterTable('profiles', table => {
        // Until then only browsers had profiles.
        table.text('kind').notNullable().defaultTo('chromium');
      });
    },
    async down(knex) {
      await knex.schema.alterTable('profiles', table => {
        table.dropColumn('kind');
      });
    },
  },
  {
    name: '008-last-seen',
    async up(knex) {
      await knex.schema.alterTable('sessions', table => {
        table.bigInteger('seen_at');
      });
    },
    async down(knex) {
      await knex.schema.alterTable('sessions', table => {
        table.dropColumn('seen_at');
      });
    },
  },
  {
    name: '009-store-identity',
    async up(knex) {
      await knex.schema.createTable('identity', table => {
        table.text('id').primary();
      });
      await knex('identity').insert({ id: randomBytes(12).toString('base64url') });
    },
    async down(knex) {
      await knex.schema.dropTable('identity');
    },
  },
  {
    name: '010-announced-warnings',
    async up(knex) {
      await knex.schema.alterTable('sessions', table => {
        table.text('announced');
      });
    },
    async down(knex) {
      await knex.schema.alterTable('sessions', table => {
        table.dropColumn('announced');
      });
    },
  },
  {
    name: '011-secrets',
    async up(knex) {
      await knex.schema.alterTable('sessions', table => {
        table.text('sealed');
        table.text('tokens');
      });
      await knex.schema.alterTable('outbox', table => {
        table.text('sealed');
      });
      await knex.schema.alterTable('profiles', table => {
        table.text('secret');
      });
    },
    async down(knex) {
      await knex.schema.alterTable('sessions', table => {
        table.dropColumns('sealed', 'tokens');
      });
      await knex.schema.alterTable('outbox', table => {
        table.dropColumn('sealed');
      });
      await knex.schema.alterTable('profiles', table => {
        table.dropColumn('secret');
      });
    },
  },
  {
    name: '012-claims',
    async up(knex) {
      await knex.schema.alterTable('sessions', table => {
        table.bigInteger('claim_by');
      });
    },
    async down(knex) {
      await knex.schema.alterTable('sessions', table => {
        table.dropColumn('claim_by');
      });
    },
  },
  {
    name: '013-termination-codes',
    async up(knex) {
      await knex.schema.alterTable('sessions', table => {
        table.text('end_code');
      });
    },
    async down(knex) {
      await knex.schema.alterTable('sessions', table => {
        table.dropColumn('end_code');
      });
    },
  },
  {
    name: '014-android-devices',
    async up(knex) {
      await knex.schema.createTable('android_devices', table => {
        table.text('device').primary();
        table.text('session_id').unique();
        table.text('owner').notNullable();
        table.bigInteger('lease_until').notNullable();
        table.bigInteger('failed_at');
      });
    },
    async down(knex) {
      await knex.schema.dropTable('android_devices');
    },
  },
  {
    name: '015-outbox-origins',
    async up(knex) {
      await knex.schema.alterTable('outbox', table => {
        // Empty in rows of older versions, until the store is opened.
        table.text('origin').notNullable().defaultTo('');
        table.text('event').notNullable().defaultTo('timeout');
        table.index(['origin', 'next_at', 'id']);
        table.index(['session_id']);
      });
      await knex('outbox').where('id', 'like', '%-warning-%').update({ event: 'warning' });
    },
    async down(knex) {
      await knex.schema.alterTable('outbox', table => {
        table.dropIndex(['origin', 'next_at', 'id']);
        table.dropIndex(['session_id']);
        table.dropColumns('origin', 'event');
      });
    },
  },
  {
    name: '016-android-resets',
    async up(knex) {
      await knex.schema.alterTable('android_devices', table => {
        table.text('lent_to');
        table.integer('tried').notNullable().defaultTo(0);
        table.bigInteger('retry_at');
      });
      await knex.schema.createTable('android_device_history', table => {
        table.text('device').primary();
        table.text('used_by');
        table.bigInteger('used_at');
        table.bigInteger('failed_at');
        table.text('baseline');
      });
    },
    async down(knex) {
      await knex.schema.dropTable('android_device_history');
      await knex.schema.alterTable('android_devices', table => {
        table.dropColumns('lent_to', 'tried', 'retry_at');
      });
    },
  },
  {
    name: '017-records',
    async up(knex) {
      await knex.schema.alterTable('sessions', table => {
        table.text('metadata');
        table.integer('viewers');
        table.integer('width');
        table.integer('height');
        table.index(['tenant_id', 'created_at', 'id']);
      });
    },
    async down(knex) {
      await knex.schema.alterTable('sessions', table => {
        table.dropIndex(['tenant_id', 'created_at', 'id']);
        table.dropColumns('metadata', 'viewers', 'width', 'height');
      });
    },
  },
  idempotencyKeys,
  profileRecords,
  usageKinds,
  {
    name: '021-events',
    async up(knex) {
      await knex.schema.createTable('events', table => {
        table.bigIncrements('seq');
        table.text('id').notNullable().unique();
        table.text('session_id').notNullable();
        table.text('tenant_id');
        table.text('name').notNullable();
        table.bigInteger('added_at').notNullable();
        table.text('body').notNullable();
        table.index(['tenant_id', 'seq']);
        table.index(['session_id', 'seq']);
        table.index(['added_at']);
      });
      await knex.schema.createTable('event_bounds', table => {
        table.integer('id').primary();
        table.bigInteger('pruned').notNullable();
      });
      await knex('event_bounds').insert({ id: 1, pruned: 0 });
      await knex.schema.createTable('present_users', table => {
        table.text('user_id').primary();
        table.text('session_id').notNullable();
        table.index(['session_id']);
      });
      await knex.schema.alterTable('outbox', table => {
        table.bigInteger('seq');
      });
    },
    async down(knex) {
      await knex.schema.alterTable('outbox', table => {
        table.dropColumn('seq');
      });
      for (const table of ['present_users', 'event_bounds', 'events']) await knex.schema.dropTable(table);
    },
  },
  erasedEvents,
];

export const migrations: Knex.MigrationSource<NamedMigration> = {
  getMigrations: async () => all,
  getMigrationName: migration => migration.name,
  getMigration: async migration => migration,
};
