import { describe, expect, test } from "bun:test";
import { unwrap, type Result } from "#core/errors/errors.ts";
import { listChangeBody, newListBody } from "#lists/schema.ts";
