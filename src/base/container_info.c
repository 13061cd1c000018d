/* What is in a kept file, for callers: its header, and its sections, those of one name together. */
#include "base/container.h"
#include "base/memory.h"
#include "base/options.h"

#include <stdlib.h>
#include <string.h>

struct rw_kept_file {
    rw_container container;
    rw_kept_section *sections;
    size_t section_count;
};

int rw_kept_file_recognise(rw_context *context, const char *path)
{
    int is;
    return rw_container_recognise(context, path, NULL, &is) == RW_OK && is;
}

/* Sections of one name follow each other, or take turns with others; there are only a few names. */
static rw_kept_section *find_name(rw_kept_file *file, const char *name)
{
    for (size_t i = 0; i < file->section_count; i++)
        if (strcmp(file->sections[i].name, name) == 0)
            return &file->sections[i];
    rw_kept_section *made = &file->sections[file->section_count++];
    *made = (rw_kept_section){.name = name};
    return made;
}

static rw_status list_sections(rw_kept_file *file)
{
    const rw_container *container = &file->container;
    RW_TRY(rw_container_verify(container));
    RW_TRY(rw_array_create(container->context, container->section_count, sizeof *file->sections, "sections",
                           &file->sections));
    for (size_t i = 0; i < container->section_count; i++) {
        const rw_container_head *head = &container->sections[i].head;
        rw_kept_section *section = find_name(file, head->name);
        section->parts++;
        section->elements += (double)head->count;
        section->bytes += (double)head->count * head->element_bytes;
    }
    return RW_OK;
}

rw_status rw_kept_file_open(rw_context *context, const char *path, rw_kept_file **file)
{
    rw_kept_file *made;
    *file = NULL;
    RW_TRY(rw_array_create(context, 1, sizeof *made, "a kept file", &made));
    rw_status status = rw_container_open(context, path, NULL, &made->container);
    if (status == RW_OK)
        status = list_sections(made);
    if (status == RW_OK)
        *file = made;
    else
        rw_kept_file_close(made);
    return status;
}

void rw_kept_file_close(rw_kept_file *file)
{
    if (!file)
        return;
    rw_container_close(&file->container);
    free(file->sections);
    free(file);
}

rw_container *rw_kept_file_container(rw_kept_file *file)
{
    return &file->container;
}

rw_status rw_kept_file_get_info(const rw_kept_file *file, rw_kept_file_info *info)
{
    const rw_container_header *header = &file->container.header;
    rw_kept_file_info made = {.kind = header->kind,
                              .model = header->model,
                              .program = header->program,
                              .version = header->kind_version,
                              .scene = header->scene,
                              .sections = file->section_count,
                              .bytes = (double)header->bytes};
    return RW_GIVE(file->container.context, &made, info);
}

rw_status rw_kept_file_get_section(const rw_kept_file *file, size_t index, rw_kept_section *section)
{
    if (index >= file->section_count)
        return rw_fail(file->container.context, RW_NOT_FOUND, "the file has %zu sections, there is no number %zu",
                       file->section_count, index);
    return RW_GIVE(file->container.context, &file->sections[index], section);
}
