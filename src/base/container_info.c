/* What is in a kept file, for callers: its header, and its sections, those of one name together. */
#include "base/container.h"
#include "base/memory.h"
#include "base/options.h"

#include <stdlib.h>
#include <string.h>

struct rw_stored_file {
    rw_container container;
    rw_stored_section *sections;
    size_t section_count;
};

int rw_stored_file_recognise(rw_context *context, const char *path)
{
    int is;
    return rw_container_recognise(context, path, NULL, &is) == RW_OK && is;
}

/* Sections of one name follow each other, or take turns with others; there are only a few names. */
static rw_stored_section *find_name(rw_stored_file *file, const char *name)
{
    for (size_t i = 0; i < file->section_count; i++)
        if (strcmp(file->sections[i].name, name) == 0)
            return &file->sections[i];
    rw_stored_section *stored_section = &file->sections[file->section_count++];
    *stored_section = (rw_stored_section){.name = name};
    return stored_section;
}

static rw_status list_sections(rw_stored_file *file)
{
    const rw_container *container = &file->container;
    RW_TRY(rw_container_verify(container));
    RW_TRY(rw_array_create(container->context, container->section_count, sizeof *file->sections, "sections",
                           &file->sections));
    for (size_t i = 0; i < container->section_count; i++) {
        const rw_container_head *head = &container->sections[i].head;
        rw_stored_section *section = find_name(file, head->name);
        section->count++;
        section->elements += (double)head->count;
        section->bytes += (double)head->count * head->element_bytes;
    }
    return RW_OK;
}

rw_status rw_stored_file_open(rw_context *context, const char *path, rw_stored_file **file)
{
    rw_stored_file *stored_file;
    *file = NULL;
    RW_TRY(rw_array_create(context, 1, sizeof *stored_file, "a kept file", &stored_file));
    rw_status status = rw_container_open(context, path, NULL, &stored_file->container);
    if (status == RW_OK)
        status = list_sections(stored_file);
    if (status == RW_OK)
        *file = stored_file;
    else
        rw_stored_file_close(stored_file);
    return status;
}

void rw_stored_file_close(rw_stored_file *file)
{
    if (!file)
        return;
    rw_container_close(&file->container);
    free(file->sections);
    free(file);
}

rw_container *rw_stored_file_container(rw_stored_file *file)
{
    return &file->container;
}

rw_status rw_stored_file_get_info(const rw_stored_file *file, rw_stored_file_info *info)
{
    const rw_container_header *header = &file->container.header;
    rw_stored_file_info stored_file_info = {.kind = header->kind,
                                            .model = header->model,
                                            .program = header->program,
                                            .version = header->kind_version,
                                            .scene = header->scene,
                                            .sections = file->section_count,
                                            .bytes = (double)header->bytes};
    return RW_ASSIGN(file->container.context, &stored_file_info, info);
}

rw_status rw_stored_file_get_section(const rw_stored_file *file, size_t index, rw_stored_section *section)
{
    if (index >= file->section_count)
        return rw_fail(file->container.context, RW_NOT_FOUND, "the file has %zu sections, there is no number %zu",
                       file->section_count, index);
    return RW_ASSIGN(file->container.context, &file->sections[index], section);
}
