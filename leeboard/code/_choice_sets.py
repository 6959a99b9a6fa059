"""Libraries of which a project takes one: for each role the members, each with the modules that show it is used.

A line is `role | languages | member, member=module+module, ...`. A member without modules is its own module.
A line that begins with spaces goes on with the one before it. Only what
competes stands together: a driver is no rival of the mapper above it.
"""

from __future__ import annotations

from functools import lru_cache

import msgspec

_LINES = """
http client | python | requests, httpx, aiohttp, urllib3, urllib=urllib.request, http.client, pycurl, treq, niquests
http client | js | axios, got, node-fetch, superagent, ky, undici, request, needle, cross-fetch, wretch, ofetch
http client | go | resty=github.com/go-resty/resty+resty.dev, req=github.com/imroc/req,
    fasthttp=github.com/valyala/fasthttp, heimdall=github.com/gojek/heimdall
http client | jvm | okhttp=okhttp3, retrofit=retrofit2, apache httpclient=org.apache.http+org.apache.hc,
    java.net.http, ktor client=io.ktor.client, feign=feign, unirest=kong.unirest+com.mashape.unirest,
    webclient=org.springframework.web.reactive.function.client
http client | ruby | faraday, httparty, net/http, rest-client=rest_client+rest-client, typhoeus, http, excon, httpx
http client | php | guzzle=GuzzleHttp,
    symfony http client=Symfony\\Component\\HttpClient+Symfony\\Contracts\\HttpClient, buzz=Buzz,
    laravel http=Illuminate\\Support\\Facades\\Http
http client | rust | reqwest, ureq, surf, isahc, attohttpc, hyper
http client | csharp | RestSharp, Flurl=Flurl.Http, Refit, System.Net.Http
orm | python | sqlalchemy=sqlalchemy.orm+sqlalchemy.ext.declarative+flask_sqlalchemy+sqlmodel+sqlalchemy,
    django orm=django.db.models+django.db, peewee=peewee+playhouse, pony=pony.orm, tortoise=tortoise, mongoengine,
    ormar, piccolo=piccolo, gino, beanie, odmantic
orm | js | prisma=@prisma/client, typeorm, sequelize, drizzle=drizzle-orm, mikro-orm=@mikro-orm/core, objection,
    mongoose, knex, kysely, bookshelf, waterline
orm | go | gorm=gorm.io/gorm+github.com/jinzhu/gorm, ent=entgo.io/ent, sqlx=github.com/jmoiron/sqlx,
    bun=github.com/uptrace/bun, go-pg=github.com/go-pg/pg, xorm=xorm.io/xorm,
    sqlboiler=github.com/volatiletech/sqlboiler, beego orm=github.com/astaxie/beego/orm
orm | jvm | jpa=javax.persistence+jakarta.persistence, jooq=org.jooq, mybatis=org.apache.ibatis, jdbi=org.jdbi,
    exposed=org.jetbrains.exposed, ebean=io.ebean, ktorm=org.ktorm
orm | ruby | active record=active_record, sequel, rom, mongoid, datamapper=data_mapper
orm | php | doctrine=Doctrine\\ORM, eloquent=Illuminate\\Database\\Eloquent, propel=Propel, cycle=Cycle\\ORM,
    redbean=RedBeanPHP
orm | rust | diesel, sqlx, sea-orm=sea_orm, rbatis
orm | csharp | entity framework=Microsoft.EntityFrameworkCore+System.Data.Entity, Dapper, NHibernate,
    LinqToDB=LinqToDB, ServiceStack.OrmLite
web framework | python | flask, django=django.http+django.views+django.urls, fastapi, starlette, tornado, bottle,
    falcon, sanic, pyramid, cherrypy, litestar, quart
web framework | js | express, fastify, koa, hapi=@hapi/hapi, nest=@nestjs/common, hono, restify, polka
web framework | go | gin=github.com/gin-gonic/gin, echo=github.com/labstack/echo, fiber=github.com/gofiber/fiber,
    chi=github.com/go-chi/chi, mux=github.com/gorilla/mux, httprouter=github.com/julienschmidt/httprouter,
    beego=github.com/beego/beego
web framework | jvm | spring web=org.springframework.web.bind, jax-rs=javax.ws.rs+jakarta.ws.rs,
    micronaut=io.micronaut.http, ktor=io.ktor.server, javalin=io.javalin, vertx web=io.vertx.ext.web,
    play=play.mvc, spark=spark
web framework | ruby | sinatra, rails, hanami, roda, grape
web framework | php | laravel=Illuminate\\Http+Illuminate\\Routing, symfony=Symfony\\Component\\HttpFoundation,
    slim=Slim, laminas=Laminas, cakephp=Cake, codeigniter=CodeIgniter
web framework | rust | actix=actix_web, axum, rocket, warp, tide, poem, salvo
ui framework | js | react=react, vue, angular=@angular/core, svelte, solid=solid-js, preact, lit
state library | js | redux=redux+@reduxjs/toolkit+react-redux, zustand, mobx=mobx+mobx-react+mobx-react-lite,
    recoil, jotai, valtio, xstate, pinia, vuex, effector, nanostores
data fetching | js | react-query=@tanstack/react-query+react-query, swr, apollo=@apollo/client, urql,
    relay=react-relay, rtk query=@reduxjs/toolkit/query
test framework | python | pytest, unittest, nose=nose+nose2, ward, testtools
test framework | js | vitest, jest=@jest/globals+jest, mocha, ava, tape, jasmine, node test=node:test, uvu, qunit
test framework | go | ginkgo=github.com/onsi/ginkgo, testify=github.com/stretchr/testify,
    goconvey=github.com/smartystreets/goconvey, check=gopkg.in/check.v1
test framework | jvm | junit 5=org.junit.jupiter, junit 4=org.junit.Test+org.junit.Assert+org.junit.Before,
    testng=org.testng, kotest=io.kotest, spek=org.spekframework
test framework | ruby | rspec=rspec+spec_helper+rails_helper, minitest=minitest+minitest/autorun, test-unit=test/unit
test framework | php | phpunit=PHPUnit, codeception=Codeception, phpspec=PhpSpec
test framework | csharp | xunit=Xunit, nunit=NUnit, mstest=Microsoft.VisualStudio.TestTools.UnitTesting
logger | python | logging, loguru, structlog, logbook, eliot
logger | js | winston, pino, bunyan, log4js, loglevel, signale, consola, tslog
logger | go | zap=go.uber.org/zap, logrus=github.com/sirupsen/logrus, zerolog=github.com/rs/zerolog,
    slog=log/slog+golang.org/x/exp/slog, log=log, glog=github.com/golang/glog, klog=k8s.io/klog,
    hclog=github.com/hashicorp/go-hclog, apex=github.com/apex/log
logger | jvm | slf4j=org.slf4j, log4j=org.apache.logging.log4j+org.apache.log4j, java.util.logging,
    kotlin-logging=mu+io.github.oshai.kotlinlogging, flogger=com.google.common.flogger,
    commons logging=org.apache.commons.logging, timber=timber.log, jboss logging=org.jboss.logging
logger | ruby | logger, semantic_logger, logging, lograge
logger | php | psr log=Psr\\Log, monolog=Monolog, laravel log=Illuminate\\Support\\Facades\\Log
logger | rust | tracing, log, slog, env_logger, fern
logger | csharp | microsoft logging=Microsoft.Extensions.Logging, Serilog, NLog, log4net
validation | python | pydantic, marshmallow, cerberus, voluptuous, schema, jsonschema, colander, wtforms, trafaret
validation | js | zod, yup, joi, ajv, class-validator, superstruct, io-ts, valibot, vest, runtypes,
    typebox=@sinclair/typebox
validation | go | validator=github.com/go-playground/validator, ozzo=github.com/go-ozzo/ozzo-validation,
    govalidator=github.com/asaskevich/govalidator
validation | php | symfony validator=Symfony\\Component\\Validator, respect=Respect\\Validation,
    laravel validator=Illuminate\\Support\\Facades\\Validator
validation | csharp | FluentValidation, data annotations=System.ComponentModel.DataAnnotations
validation | ruby | dry-validation=dry-validation+dry/validation
date and time | python | arrow, pendulum, delorean, maya, moment, whenever
date and time | js | moment=moment+moment-timezone, dayjs, date-fns=date-fns+date-fns-tz, luxon, js-joda=@js-joda/core
date and time | jvm | java.time, joda=org.joda.time, kotlinx-datetime=kotlinx.datetime
date and time | php | carbon=Carbon, chronos=Cake\\Chronos
date and time | rust | chrono, time, jiff
date and time | csharp | NodaTime
dependency injection | python | dependency-injector=dependency_injector, injector, punq, lagom, wireup, dishka
dependency injection | js | inversify, tsyringe, typedi, awilix, bottlejs
dependency injection | go | wire=github.com/google/wire, fx=go.uber.org/fx, dig=go.uber.org/dig
dependency injection | jvm | spring=org.springframework.beans+org.springframework.stereotype,
    guice=com.google.inject, dagger=dagger+dagger.hilt, koin=org.koin, cdi=javax.enterprise+jakarta.enterprise
dependency injection | csharp | microsoft di=Microsoft.Extensions.DependencyInjection, Autofac, Ninject,
    StructureMap, Unity
cli parser | python | argparse, click, typer, docopt, fire, cleo, cyclopts, optparse, absl flags=absl.flags
cli parser | js | commander, yargs, meow, oclif=@oclif/core, cac, minimist, caporal, clipanion, citty
cli parser | go | cobra=github.com/spf13/cobra, urfave cli=github.com/urfave/cli,
    kingpin=gopkg.in/alecthomas/kingpin.v2+github.com/alecthomas/kingpin, kong=github.com/alecthomas/kong, flag,
    go-flags=github.com/jessevdk/go-flags
cli parser | jvm | picocli, jcommander=com.beust.jcommander, commons cli=org.apache.commons.cli,
    clikt=com.github.ajalt.clikt
cli parser | ruby | thor, optparse, slop, gli, dry-cli=dry/cli, tty-option
cli parser | rust | clap, structopt, argh, pico_args, gumdrop, bpaf
cli parser | csharp | System.CommandLine, CommandLineParser=CommandLine, Spectre.Console.Cli
async runtime | python | asyncio, trio, anyio, gevent, eventlet, twisted, curio
async runtime | rust | tokio, async-std=async_std, smol, glommio
database driver | python | psycopg2, psycopg, asyncpg, pg8000, sqlite3, mysqlclient=MySQLdb, pymysql,
    mysql connector=mysql.connector, aiosqlite, pymongo, motor
database driver | js | pg, postgres, mysql, mysql2, better-sqlite3, sqlite3, mongodb, pg-promise
cache client | python | redis, aioredis, pymemcache, memcache, pylibmc, diskcache, cachetools
cache client | js | redis, ioredis, node-cache, memjs, keyv, lru-cache
job queue | python | celery, rq, dramatiq, huey, arq, apscheduler, taskiq
job queue | js | bull, bullmq, agenda, bee-queue, kue, pg-boss
job queue | ruby | sidekiq, resque, delayed_job, good_job, sucker_punch
serialisation | jvm | jackson=com.fasterxml.jackson, gson=com.google.gson, moshi=com.squareup.moshi,
    kotlinx serialization=kotlinx.serialization, fastjson=com.alibaba.fastjson, org.json
serialisation | csharp | Newtonsoft.Json, System.Text.Json, Utf8Json
error values | rust | anyhow, eyre=eyre+color_eyre, failure, snafu
styling | js | styled-components, emotion=@emotion/react+@emotion/styled, stitches=@stitches/react, jss=react-jss,
    linaria, vanilla-extract=@vanilla-extract/css
forms | js | react-hook-form, formik, final-form=react-final-form, redux-form
"""
_WEIGHT = {
    "orm": 5,
    "web framework": 5,
    "ui framework": 5,
    "state library": 5,
    "test framework": 5,
    "async runtime": 5,
    "dependency injection": 5,
    "date and time": 3,
    "validation": 3,
    "cli parser": 3,
    "serialisation": 3,
    "error values": 3,
    "forms": 3,
    "styling": 3,
}
_FAMILIES = {
    "javascript": "js",
    "typescript": "js",
    "tsx": "js",
    "java": "jvm",
    "kotlin": "jvm",
    "cpp": "c",
}


class Choice(msgspec.Struct, frozen=True):
    role: str
    family: str
    members: tuple[tuple[str, tuple[str, ...]], ...]


def family_of(language: str) -> str:
    """Languages that share libraries share a family."""
    return _FAMILIES.get(language, language)


def weight_of(role: str) -> int:
    """What a second member costs: 5 where everything hangs on it, 3 where it is a matter of few calls, else 4."""
    return _WEIGHT.get(role.partition(" ")[2], 4)


@lru_cache(maxsize=16)
def choices(family: str) -> tuple[Choice, ...]:
    return tuple(choice for choice in _all() if choice.family == family)


@lru_cache(maxsize=1)
def _all() -> tuple[Choice, ...]:
    rows = (line.split(" | ") for line in _LINES.strip().replace(",\n    ", ", ").splitlines())
    return tuple(
        Choice(role, family, tuple(_member(word) for word in members.split(", "))) for role, family, members in rows
    )


def _member(word: str) -> tuple[str, tuple[str, ...]]:
    name, _equals, modules = word.strip().partition("=")
    return name, tuple(modules.split("+")) if modules else (name,)


@lru_cache(maxsize=16)
def _by_module(family: str) -> dict[str, tuple[tuple[str, str], ...]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for choice in choices(family):
        for name, modules in choice.members:
            for module in modules:
                found.setdefault(module, []).append((choice.role, name))
    return {module: tuple(pairs) for module, pairs in found.items()}


@lru_cache(maxsize=16_384)
def members_shown(module: str, family: str) -> tuple[tuple[str, str], ...]:
    """Role and member an import of this module shows; several where a library plays several roles."""
    known = _by_module(family)
    ends = [at for at, char in enumerate(module) if char in "./:\\" and at] + [len(module)]
    return tuple(dict.fromkeys(pair for end in ends for pair in known.get(module[:end], ())))
