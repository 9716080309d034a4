# One image for every service: the command says which one runs. See docker-compose.yml.

FROM node:26-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
# No install script is needed; without development dependencies, since nothing is tested here.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM dependencies AS build
COPY . .
# Readable to the user that it runs as, however strict the checkout was.
RUN npm run build && chmod -R a+rX .

FROM node:26-slim
ENV NODE_ENV=production
# The Node.js of package-lock.json, with which everything was tested, before the image's own.
ENV PATH=/app/node_modules/.bin:$PATH
WORKDIR /app
COPY --from=build /app .
# The user of the base image; it owns nothing here, and nothing is written.
USER node
EXPOSE 3000
CMD ["node", "deploy/gateway/main.ts"]
